/** What a page remembers: in its own tab first, so that two tabs do not disturb each other, then in the browser. */

export function recall<T>(key: string): T | null {
  for (const storage of [sessionStorage, localStorage]) {
    try {
      const text = storage.getItem(`okapi.${key}`);
      if (text !== null) return JSON.parse(text) as T;
    } catch {
      // Storage may be forbidden or hold nonsense: then nothing is remembered.
    }
  }
  return null;
}

export function remember(key: string, value: unknown): void {
  for (const storage of [sessionStorage, localStorage]) {
    try {
      storage.setItem(`okapi.${key}`, JSON.stringify(value));
    } catch {
      // Full or forbidden: the page works on without memory.
    }
  }
}
