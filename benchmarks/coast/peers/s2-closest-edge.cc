/*
 * S2ClosestEdgeQuery over the same lines: search only, the distance to the closest edge on a sphere.
 *
 *   s2-closest-edge LINES POINTS ROUNDS RESULTS
 *
 * LINES:  float64 count of lines, then for each line the count of its vertices and longitude, latitude pairs in degrees.
 * POINTS: float64 latitude, longitude of each point. RESULTS: float64 metres on a sphere of 6371.01 km.
 * Prints the milliseconds of building, then nanoseconds a query, one line a round.
 */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <vector>

#include "s2/mutable_s2shape_index.h"
#include "s2/s2closest_edge_query.h"
#include "s2/s2latlng.h"
#include "s2/s2lax_polyline_shape.h"

static std::vector<double> read_numbers(const char *path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) {
    std::perror(path);
    std::exit(1);
  }
  std::vector<double> numbers(static_cast<size_t>(file.tellg()) / sizeof(double));
  file.seekg(0);
  file.read(reinterpret_cast<char *>(numbers.data()), static_cast<std::streamsize>(numbers.size() * sizeof(double)));
  return numbers;
}

static double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int main(int argc, char **argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: s2-closest-edge LINES POINTS ROUNDS RESULTS\n");
    return 2;
  }
  const std::vector<double> lines = read_numbers(argv[1]);
  const std::vector<double> places = read_numbers(argv[2]);
  const double begin = now_ns();
  MutableS2ShapeIndex index;
  size_t at = 1;
  for (size_t line = 0; line < static_cast<size_t>(lines[0]); line++) {
    const size_t count = static_cast<size_t>(lines[at++]);
    std::vector<S2Point> points;
    for (size_t vertex = 0; vertex < count; vertex++, at += 2) {
      points.push_back(S2LatLng::FromDegrees(lines[at + 1], lines[at]).ToPoint());
    }
    index.Add(std::make_unique<S2LaxPolylineShape>(points));
  }
  index.ForceBuild();
  std::printf("%.1f\n", (now_ns() - begin) / 1e6);

  std::vector<S2Point> points;
  for (size_t i = 0; i < places.size(); i += 2) points.push_back(S2LatLng::FromDegrees(places[i], places[i + 1]).ToPoint());
  S2ClosestEdgeQuery query(&index);
  std::vector<double> results(points.size());
  for (int round = 0; round < std::atoi(argv[3]); round++) {
    const double start = now_ns();
    for (size_t i = 0; i < points.size(); i++) {
      S2ClosestEdgeQuery::PointTarget target(points[i]);
      results[i] = query.GetDistance(&target).ToAngle().radians() * 6371010.0;
    }
    std::printf("%.3f\n", (now_ns() - start) / static_cast<double>(points.size()));
  }
  std::ofstream out(argv[4], std::ios::binary);
  out.write(reinterpret_cast<const char *>(results.data()), static_cast<std::streamsize>(results.size() * sizeof(double)));
  return out ? 0 : 1;
}
