/*
 * The tree of runs of @leeward/coast in C: the same nodes, the same boxes, the same order of descent, reading the very bytes
 * that the package built. Search only: it finds the nearest segment and its squared distance, and stops there.
 *
 *   c-tree TREE POINTS ROUNDS RESULTS
 *
 * TREE:   int32 vertex count, int32 node count, int32 x y z of each vertex, nodes of eight 32-bit words.
 * POINTS: float64 x y z of each point, earth-centred, in the tree's units.
 * RESULTS: float64 squared distance of each point, for the caller to compare. Prints nanoseconds a query, one line a round.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  float low[3];
  float high[3];
  int32_t link;
  uint32_t layers;
} Node;

static int32_t *vertices;
static Node *nodes;
static int32_t node_count;

/* Not fmax, which is a library call where NaN must be minded. */
static inline double larger(double a, double b) { return a > b ? a : b; }

static inline double box_distance2(const Node *node, double x, double y, double z) {
  double dx = larger(larger(node->low[0] - x, x - node->high[0]), 0);
  double dy = larger(larger(node->low[1] - y, y - node->high[1]), 0);
  double dz = larger(larger(node->low[2] - z, z - node->high[2]), 0);
  return dx * dx + dy * dy + dz * dz;
}

static inline double segment_distance2(const int32_t *a, double x, double y, double z) {
  double ux = (double)a[3] - a[0], uy = (double)a[4] - a[1], uz = (double)a[5] - a[2];
  double wx = x - a[0], wy = y - a[1], wz = z - a[2];
  double along = wx * ux + wy * uy + wz * uz;
  double distance2 = wx * wx + wy * wy + wz * wz;
  if (along <= 0) return distance2;
  double length2 = ux * ux + uy * uy + uz * uz;
  if (along >= length2) {
    double ex = wx - ux, ey = wy - uy, ez = wz - uz;
    return ex * ex + ey * ey + ez * ez;
  }
  return distance2 - along * along / length2;
}

static double nearest(double x, double y, double z, int32_t *found) {
  int32_t stack[64];
  double distances[64];
  int top = 0;
  double best = INFINITY;
  stack[0] = 0;
  distances[0] = 0;
  while (top >= 0) {
    int32_t at = stack[top];
    if (distances[top--] > best) continue;
    for (;;) {
      const Node *node = &nodes[at];
      if (node->link < 0) {
        int32_t start = ~node->link;
        int32_t count = (int32_t)(node->layers >> 16);
        for (int32_t vertex = start; vertex < start + count; vertex++) {
          double distance2 = segment_distance2(vertices + 3 * (size_t)vertex, x, y, z);
          if (distance2 < best) {
            best = distance2;
            *found = vertex;
          }
        }
        break;
      }
      int32_t left = at + 1, right = node->link;
      double left_distance = box_distance2(&nodes[left], x, y, z);
      double right_distance = box_distance2(&nodes[right], x, y, z);
      int near_left = left_distance <= right_distance;
      double near = near_left ? left_distance : right_distance;
      double far = near_left ? right_distance : left_distance;
      if (far < best) {
        stack[++top] = near_left ? right : left;
        distances[top] = far;
      }
      if (near >= best) break;
      at = near_left ? left : right;
    }
  }
  return best;
}

static void *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  void *bytes = aligned_alloc(64, (*size + 63) / 64 * 64);
  if (!bytes || fread(bytes, 1, *size, file) != *size) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(1);
  }
  fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: c-tree TREE POINTS ROUNDS RESULTS\n");
    return 2;
  }
  size_t size;
  int32_t *tree = read_file(argv[1], &size);
  int32_t vertex_count = tree[0];
  node_count = tree[1];
  vertices = malloc((size_t)vertex_count * 12);
  nodes = aligned_alloc(64, ((size_t)node_count * sizeof(Node) + 63) / 64 * 64);
  memcpy(vertices, tree + 2, (size_t)vertex_count * 12);
  memcpy(nodes, tree + 2 + (size_t)vertex_count * 3, (size_t)node_count * sizeof(Node));
  free(tree);
  double *points = read_file(argv[2], &size);
  size_t count = size / 24;
  double *results = malloc(count * sizeof(double));
  for (int round = 0; round < atoi(argv[3]); round++) {
    struct timespec begin, end;
    int64_t sum = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (size_t i = 0; i < count; i++) {
      int32_t found = -1;
      results[i] = nearest(points[3 * i], points[3 * i + 1], points[3 * i + 2], &found);
      sum += found;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double nanoseconds = (end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec);
    printf("%.3f %lld\n", nanoseconds / count, (long long)sum);
  }
  FILE *out = fopen(argv[4], "wb");
  if (!out || fwrite(results, sizeof(double), count, out) != count) {
    perror(argv[4]);
    return 1;
  }
  fclose(out);
  return 0;
}
