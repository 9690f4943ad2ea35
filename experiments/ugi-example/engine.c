/* Four in a row on a board of 6 columns and 5 rows, as an engine that speaks UGI: cc -O2 engine.c -o engine

   The same game, texts, weights and options as engine.py, which says what they are. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 6, HEIGHT = 5, CELLS = WIDTH * HEIGHT, WON = 10000, LONGEST = 4096 };

static const char *NAMES[] = {"centre", "twos", "threes"};
static int weights[] = {3, 2, 8};
static const int ORDER[WIDTH] = {2, 3, 1, 4, 0, 5};

static int lines[256][4], n_lines;   /* cells of every line of four */
static int lines_of[CELLS][16], n_lines_of[CELLS];

static char cells[CELLS + 1];        /* by column, from the bottom: '.', 'x', 'o' */
static int heights[WIDTH];
static char mover;

static long nodes, most_nodes;
static double deadline;
static int is_out;

static double now(void)
{
    struct timespec spec;
    clock_gettime(CLOCK_MONOTONIC, &spec);
    return spec.tv_sec + spec.tv_nsec * 1e-9;
}

static void lay_out(void)
{
    static const int STEPS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int x = 0; x < WIDTH; x++)
        for (int y = 0; y < HEIGHT; y++)
            for (int step = 0; step < 4; step++) {
                int dx = STEPS[step][0], dy = STEPS[step][1], top = y + 3 * dy;
                if (x + 3 * dx >= WIDTH || top < 0 || top >= HEIGHT)
                    continue;
                for (int i = 0; i < 4; i++) {
                    int cell = (x + i * dx) * HEIGHT + y + i * dy;
                    lines[n_lines][i] = cell;
                    lines_of[cell][n_lines_of[cell]++] = n_lines;
                }
                n_lines++;
            }
}

static void clear(void)
{
    memset(cells, '.', CELLS);
    memset(heights, 0, sizeof heights);
    mover = 'x';
}

static void play(int x)
{
    cells[x * HEIGHT + heights[x]++] = mover;
    mover = mover == 'x' ? 'o' : 'x';
}

static void take_back(int x)
{
    cells[x * HEIGHT + --heights[x]] = '.';
    mover = mover == 'x' ? 'o' : 'x';
}

static int has_won(int cell)
{
    for (int at = 0; at < n_lines_of[cell]; at++) {
        const int *line = lines[lines_of[cell][at]];
        int n = 0;
        while (n < 4 && cells[line[n]] == cells[cell])
            n++;
        if (n == 4)
            return 1;
    }
    return 0;
}

static char winner(void)
{
    for (int cell = 0; cell < CELLS; cell++)
        if (cells[cell] != '.' && has_won(cell))
            return cells[cell];
    return 0;
}

static int is_full(void)
{
    for (int x = 0; x < WIDTH; x++)
        if (heights[x] < HEIGHT)
            return 0;
    return 1;
}

static int evaluate(void)
{
    int total = 0;
    for (int x = WIDTH / 2 - 1; x <= WIDTH / 2; x++)
        for (int y = 0; y < heights[x]; y++)
            total += cells[x * HEIGHT + y] == mover ? weights[0] : -weights[0];
    for (int at = 0; at < n_lines; at++) {
        int own = 0, others = 0;
        for (int i = 0; i < 4; i++) {
            own += cells[lines[at][i]] == mover;
            others += cells[lines[at][i]] != mover && cells[lines[at][i]] != '.';
        }
        if ((own && others) || own + others < 2)
            continue;
        int value = weights[own + others == 3 ? 2 : 1];
        total += own ? value : -value;
    }
    return total;
}

static int search(int depth, int alpha, int beta, int ply, int last)
{
    if (++nodes > most_nodes || (deadline > 0 && (nodes & 255) == 0 && now() > deadline))
        is_out = 1;
    if (is_out)
        return 0;
    if (has_won(last))
        return ply - WON;
    if (is_full())
        return 0;
    if (depth == 0)
        return evaluate();
    for (int at = 0; at < WIDTH && alpha < beta; at++) {
        int x = ORDER[at];
        if (heights[x] == HEIGHT)
            continue;
        play(x);
        int value = -search(depth - 1, -beta, -alpha, ply + 1, x * HEIGHT + heights[x] - 1);
        take_back(x);
        if (value > alpha)
            alpha = value;
    }
    return alpha;
}

static long number(char *words, const char *name, long otherwise)
{
    char *found = strstr(words, name);
    return found ? atol(found + strlen(name)) : otherwise;
}

static void go(char *words)
{
    double began = now(), seconds = number(words, "movetime ", 0) / 1000.0;
    long left = number(words, mover == 'x' ? "p1time " : "p2time ", -1);
    if (left >= 0)
        seconds = left / 20000.0 + number(words, mover == 'x' ? "p1inc " : "p2inc ", 0) / 2000.0;
    deadline = seconds > 0 ? began + 0.9 * seconds : 0;
    nodes = 0, is_out = 0, most_nodes = number(words, "nodes ", 1000000000);
    long most = number(words, "depth ", 42);
    int best = 0;
    while (best < WIDTH && heights[ORDER[best]] == HEIGHT)
        best++;
    if (best == WIDTH) {
        puts("bestmove (none)");
        return;
    }
    best = ORDER[best];
    for (int depth = 1; depth <= most && depth <= 42; depth++) {
        int alpha = -WON, found = best;
        for (int at = -1; at < WIDTH && !is_out; at++) {
            int x = at < 0 ? best : ORDER[at];
            if (heights[x] == HEIGHT || (at >= 0 && x == best))
                continue;
            play(x);
            int value = -search(depth - 1, -WON, -alpha, 1, x * HEIGHT + heights[x] - 1);
            take_back(x);
            if (!is_out && value > alpha)
                alpha = value, found = x;
        }
        if (is_out)
            break;
        best = found;
        printf("info depth %d score cp %d time %ld nodes %ld pv %c\n", depth, alpha,
               (long)(1000 * (now() - began)), nodes, 'a' + best);
        if (abs(alpha) > WON / 2)
            break;
    }
    printf("bestmove %c\n", 'a' + best);
}

static void position(char *words)
{
    char *moves = strstr(words, " moves "), *at = words + 4;
    clear();
    if (strncmp(words, "fen ", 4) == 0) {
        for (int y = HEIGHT - 1; y >= 0; y--, at++)
            for (int x = 0; x < WIDTH && *at; x++, at++)
                if (*at != '.')
                    cells[x * HEIGHT + y] = *at, heights[x] = y + 1 > heights[x] ? y + 1 : heights[x];
        mover = *at ? *at : 'x';
    }
    for (char *move = moves ? strtok(moves + 7, " ") : NULL; move; move = strtok(NULL, " ")) {
        int x = move[0] - 'a';
        if (move[1] || x < 0 || x >= WIDTH || heights[x] == HEIGHT || winner()) {
            printf("info string illegal move %s\n", move);
            return;
        }
        play(x);
    }
}

static void query(const char *question)
{
    char won = winner();
    int is_over = won || is_full();
    if (strcmp(question, "p1turn") == 0)
        printf("response %s\n", mover == 'x' ? "true" : "false");
    else if (strcmp(question, "gameover") == 0)
        printf("response %s\n", is_over ? "true" : "false");
    else
        printf("response %s\n", won == 'x' ? "p1win" : won == 'o' ? "p2win" : is_over ? "draw" : "none");
}

int main(void)
{
    char line[LONGEST];
    lay_out();
    clear();
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        char name[32];
        int value;
        line[strcspn(line, "\r\n")] = 0;
        if (strcmp(line, "ugi") == 0) {
            puts("id name Four in a row (C)\nid author Tunesmith");
            for (int at = 0; at < 3; at++)
                printf("option name %s type spin default %d min -100 max 100\n", NAMES[at], weights[at]);
            puts("ugiok");
        } else if (strcmp(line, "isready") == 0) {
            puts("readyok");
        } else if (sscanf(line, "setoption name %31s value %d", name, &value) == 2) {
            for (int at = 0; at < 3; at++)
                if (strcmp(name, NAMES[at]) == 0)
                    weights[at] = value;
        } else if (strcmp(line, "uginewgame") == 0) {
            clear();
        } else if (strncmp(line, "position ", 9) == 0) {
            position(line + 9);
        } else if (strncmp(line, "query ", 6) == 0) {
            query(line + 6);
        } else if (strcmp(line, "go") == 0 || strncmp(line, "go ", 3) == 0) {
            go(line);
        } else if (strcmp(line, "quit") == 0) {
            return 0;
        }
    }
    return 0;
}
