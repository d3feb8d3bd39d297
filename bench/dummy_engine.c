/* A UCI engine that answers at once: it recites a game, given as a file of moves, and counts where it is in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 65536
#define MOVES 4096

int main(int argc, char **argv) {
    static char line[LINE], moves[MOVES][6];
    int known = 0, played = 0;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file) return fprintf(stderr, "usage: dummy_engine FILE\n"), 1;
    while (known < MOVES && fscanf(file, "%5s", moves[known]) == 1) ++known;
    fclose(file);
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, LINE, stdin)) {
        if (!strncmp(line, "uci\n", 4)) {
            printf("id name Dummy\nid author okapi\nuciok\n");
        } else if (!strncmp(line, "isready", 7)) {
            printf("readyok\n");
        } else if (!strncmp(line, "position", 8)) {
            const char *word = strstr(line, " moves ");
            played = 0;
            for (word = word ? word + 6 : ""; (word = strchr(word, ' ')); ++word) ++played;
        } else if (!strncmp(line, "go", 2)) {
            if (played < known) {
                printf("info depth 1 score cp 0 nodes 1 pv %s\nbestmove %s\n", moves[played], moves[played]);
            } else {
                printf("bestmove 0000\n");
            }
        } else if (!strncmp(line, "quit", 4)) {
            return 0;
        }
    }
    return 0;
}
