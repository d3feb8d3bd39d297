import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };

/** The licences of what is bundled travel with it. */
function licences(): Plugin {
  return {
    name: "licences",
    generateBundle() {
      const texts = Object.keys(dependencies).map(
        (name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8")}`,
      );
      this.emitFile({ type: "asset", fileName: "licences.txt", source: texts.join("\n\n----\n\n") });
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [licences()],
  build: {
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: "es2022",
  },
});
