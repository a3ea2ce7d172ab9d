/* common/geometry/hex.c: see hex.h. Inside, a hex is a point of the plane q + r + s = 0 of cubes:
 * q to the east, r to the south. */
#include "common/geometry/hex.h"

#include <assert.h>

struct cube {
    int q, r;
};

/* The steps of the six sides in cubes. */
static const struct cube steps[HEX_SIDES] = {
    [HEX_N] = {0, -1}, [HEX_NE] = {1, -1}, [HEX_SE] = {1, 0},
    [HEX_S] = {0, 1},  [HEX_SW] = {-1, 1}, [HEX_NW] = {-1, 0},
};

/* Half columns that lie south of the straight row, for column q from 0. */
static int half(const struct hex_grid *grid, int q)
{
    /* Even columns (q odd) go south: r = row - floor(q / 2); odd ones: r = row - ceil(q / 2). */
    int up = q + (grid->shifted != 0 ? 1 : 0);
    return up >= 0 ? up / 2 : -((1 - up) / 2);
}

static struct cube cube_of(const struct hex_grid *grid, unsigned hex)
{
    int q = (int)(hex / grid->rows);
    return (struct cube){q, (int)(hex % grid->rows) - half(grid, q)};
}

static unsigned of_cube(const struct hex_grid *grid, struct cube at)
{
    return hex_at(grid, at.q + 1, at.r + half(grid, at.q) + 1);
}

unsigned hex_at(const struct hex_grid *grid, int column, int row)
{
    if (column < 1 || row < 1 || column > grid->columns || row > grid->rows) { return HEX_NONE; }
    return (unsigned)(column - 1) * grid->rows + (unsigned)(row - 1);
}

unsigned hex_parse(const struct hex_grid *grid, const char *text)
{
    int digit[4];
    for (unsigned i = 0; i < 4; i++) {
        if (text[i] < '0' || text[i] > '9') { return HEX_NONE; }
        digit[i] = text[i] - '0';
    }
    if (text[4] != '\0') { return HEX_NONE; }
    return hex_at(grid, digit[0] * 10 + digit[1], digit[2] * 10 + digit[3]);
}

void hex_text(const struct hex_grid *grid, unsigned hex, char out[HEX_TEXT])
{
    unsigned column = hex_column(grid, hex), row = hex_row(grid, hex);
    out[0] = (char)('0' + column / 10 % 10);
    out[1] = (char)('0' + column % 10);
    out[2] = (char)('0' + row / 10 % 10);
    out[3] = (char)('0' + row % 10);
    out[4] = '\0';
}

unsigned hex_neighbour(const struct hex_grid *grid, unsigned hex, unsigned side)
{
    assert(side < HEX_SIDES);
    struct cube at = cube_of(grid, hex);
    return of_cube(grid, (struct cube){at.q + steps[side].q, at.r + steps[side].r});
}

unsigned hex_side_to(const struct hex_grid *grid, unsigned a, unsigned b)
{
    struct cube from = cube_of(grid, a), to = cube_of(grid, b);
    for (unsigned side = 0; side < HEX_SIDES; side++) {
        if (to.q - from.q == steps[side].q && to.r - from.r == steps[side].r) { return side; }
    }
    return HEX_SIDES;
}

unsigned hex_hexside(const struct hex_grid *grid, unsigned a, unsigned b)
{
    unsigned side = hex_side_to(grid, a, b);
    switch (side) {
    case HEX_S: return 3 * a;
    case HEX_NE: return 3 * a + 1;
    case HEX_SE: return 3 * a + 2;
    case HEX_N: return 3 * b;
    case HEX_SW: return 3 * b + 1;
    case HEX_NW: return 3 * b + 2;
    default: return HEX_NONE;
    }
}

static unsigned length(int q, int r)
{
    int s = -q - r;
    unsigned a = (unsigned)(q < 0 ? -q : q), b = (unsigned)(r < 0 ? -r : r);
    unsigned c = (unsigned)(s < 0 ? -s : s);
    return a > b ? (a > c ? a : c) : (b > c ? b : c);
}

unsigned hex_distance(const struct hex_grid *grid, unsigned a, unsigned b)
{
    struct cube from = cube_of(grid, a), to = cube_of(grid, b);
    return length(to.q - from.q, to.r - from.r);
}

/* One walk over all shortest chains: a counter of side choices would meet them in the order of
 * sides, not of hexes, so at each hex the next ones are tried in ascending order. */
struct walk {
    const struct hex_grid *grid;
    unsigned goal, count, max;
    struct hex_path path, *out;
};

static void walk_on(struct walk *walk)
{
    unsigned at = walk->path.hex[walk->path.len - 1];
    unsigned left = hex_distance(walk->grid, at, walk->goal);
    if (left == 0) {
        if (walk->count < walk->max) { walk->out[walk->count] = walk->path; }
        walk->count++;
        return;
    }
    unsigned next[HEX_SIDES], n = 0;
    for (unsigned side = 0; side < HEX_SIDES; side++) {
        unsigned hex = hex_neighbour(walk->grid, at, side);
        if (hex == HEX_NONE || hex_distance(walk->grid, hex, walk->goal) >= left) { continue; }
        unsigned k = n++;
        for (; k > 0 && next[k - 1] > hex; k--) {
            next[k] = next[k - 1];
        }
        next[k] = hex;
    }
    for (unsigned i = 0; i < n; i++) {
        walk->path.hex[walk->path.len++] = (uint16_t)next[i];
        walk_on(walk);
        walk->path.len--;
    }
}

unsigned hex_trajectories(const struct hex_grid *grid, unsigned a, unsigned b, struct hex_path *out,
                          unsigned max)
{
    unsigned distance = hex_distance(grid, a, b);
    if (distance == 0 || distance > HEX_PATH_MAX) { return 0; }
    struct walk walk = {.grid = grid, .goal = b, .max = max, .out = out};
    walk.path.len = 1;
    walk.path.hex[0] = (uint16_t)a;
    walk_on(&walk);
    return walk.count;
}

static int round_div(int a, int n) /* to the nearest; n > 0; never called on a tie */
{
    int twice = 2 * a + n;
    return twice >= 0 ? twice / (2 * n) : -((-twice + 2 * n - 1) / (2 * n));
}

/* The cube nearest to q / n, r / n, both nudged so that no two are equally near. */
static struct cube nearest(int q, int r, int n)
{
    int s = -q - r;
    int rq = round_div(q, n), rr = round_div(r, n), rs = round_div(s, n);
    int dq = rq * n - q, dr = rr * n - r, ds = rs * n - s;
    dq = dq < 0 ? -dq : dq;
    dr = dr < 0 ? -dr : dr;
    ds = ds < 0 ? -ds : ds;
    if (dq > dr && dq > ds) {
        rq = -rr - rs;
    } else if (dr > ds) {
        rr = -rq - rs;
    }
    return (struct cube){rq, rr};
}

unsigned hex_line(const struct hex_grid *grid, unsigned a, unsigned b, bool left,
                  uint16_t out[HEX_LINE_MAX])
{
    struct cube from = cube_of(grid, a), to = cube_of(grid, b);
    int n = (int)hex_distance(grid, a, b), dq = to.q - from.q, dr = to.r - from.r;
    assert(n < HEX_LINE_MAX);
    /* A nudge to the right of the way: the direction turned by a right angle, in cubes
     * (dr - ds, ds - dq, dq - dr), scaled far below what changes a point that is no tie. */
    enum { FINE = 4096 };
    int nudge = left ? -1 : 1, ds = -dq - dr;
    for (int i = 0; i <= n; i++) {
        bool end = i == 0 || i == n;
        unsigned hex = HEX_NONE;
        for (int turn = 0; turn < 2 && hex == HEX_NONE; turn++) {
            int way = end ? 0 : turn == 0 ? nudge : -nudge;
            int q = (from.q * n + dq * i) * FINE - way * (dr - ds);
            int r = (from.r * n + dr * i) * FINE - way * (ds - dq);
            hex = n == 0 ? a : of_cube(grid, nearest(q, r, n * FINE));
        }
        out[i] = (uint16_t)hex;
    }
    return (unsigned)n + 1;
}

void hex_band(const struct hex_grid *grid, unsigned centre, unsigned inner, unsigned outer,
              struct hex_set *set)
{
    struct cube at = cube_of(grid, centre);
    int reach = (int)outer;
    for (int q = -reach; q <= reach; q++) {
        for (int r = -reach; r <= reach; r++) {
            unsigned far = length(q, r);
            if (far < inner || far > outer) { continue; }
            unsigned hex = of_cube(grid, (struct cube){at.q + q, at.r + r});
            if (hex != HEX_NONE) { hex_set_add(set, hex); }
        }
    }
}
