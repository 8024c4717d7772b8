#include "json/events.h"

#include <string>

#include <gtest/gtest.h>

namespace seedance {
namespace {

// Writes down what comes; stops at a text "stop".
class NotedEvents final : public JsonEvents {
 public:
  std::string notes;
  bool on_other() override { return note("?"); }
  bool on_integer(std::int64_t value) override { return note(std::to_string(value)); }
  bool on_number(double, std::string_view text) override { return note("~" + std::string(text)); }
  bool on_text(std::string_view text) override { return note("'" + std::string(text) + "'") && text != "stop"; }
  bool on_object() override { return note("{"); }
  bool on_key(std::string_view name) override { return note(std::string(name) + ":"); }
  bool on_object_end() override { return note("}"); }
  bool on_array() override { return note("["); }
  bool on_array_end() override { return note("]"); }

 private:
  bool note(const std::string& text) {
    notes += text + " ";
    return true;
  }
};

TEST(JsonEventsTest, ComeInOrderAndNumbersKeepTheirText) {
  NotedEvents events;
  EXPECT_TRUE(*read_json(R"({"a":[1,-2,1796061599.818,18446744073709551615,"x",true,null],"b":{}})", events));
  EXPECT_EQ(events.notes, "{ a: [ 1 -2 ~1796061599.818 ~18446744073709551615 'x' ? ? ] b: { } } ");
}

TEST(JsonEventsTest, AStopIsNoError) {
  NotedEvents events;
  EXPECT_FALSE(*read_json(R"(["stop",1])", events));
  EXPECT_EQ(events.notes, "[ 'stop' ");
}

TEST(JsonEventsTest, BrokenAndDeepTextsAreErrors) {
  NotedEvents events;
  EXPECT_EQ(read_json(R"([1,)", events).error().code, Code::kInvalid);
  EXPECT_EQ(read_json("[1e999]", events).error().code, Code::kInvalid);
  EXPECT_TRUE(read_json(std::string(64, '[') + std::string(64, ']'), events));
  EXPECT_EQ(read_json(std::string(65, '[') + std::string(65, ']'), events).error().code, Code::kTooLarge);
  EXPECT_EQ(read_json(std::string((std::size_t{64} << 20) + 1, ' '), events).error().code, Code::kTooLarge);
}

}  // namespace
}  // namespace seedance
