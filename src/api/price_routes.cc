#include "api/price_routes.h"

#include "net/problem.h"
#include "api/query_routes.h"
#include "app/node_questions.h"

namespace seedance {

HttpResponse get_prices(Service& service, const HttpRequest& request) {
  const PriceListQuestion question{std::string(request.query_value("provider")), std::string(request.query_value("region")), std::string(request.query_value("type"))};
  const Result<TimeZone> zone = zone_of(service, request);
  if (!zone) return problem(zone.error(), request);
  return json_response(price_list_json({list_prices(*service.prices().book(), question), *zone}));
}

HttpResponse import_prices(Service& service, const HttpRequest& request) {
  std::string name(request.query_value("name"));
  name = name.substr(name.rfind('/') + 1).substr(0, 100);
  const Result<PriceImport> report = service.prices().import_csv(request.body, name.empty() ? "prices.csv" : name);
  if (!report) return problem(report.error(), request);
  if (report->accepted > 0) service.recompute_everything();
  Json refused = Json::array();
  for (const std::string& line : report->refused) refused.add(line);
  return json_response(Json::object().set("accepted", std::uint64_t{report->accepted}).set("refused", std::move(refused)));
}

HttpResponse explain_node_price(Service& service, const HttpRequest& request) {
  const std::string node(request.query_value("node"));
  if (node.empty()) return problem({Code::kInvalid, "which node is not said", "add ?node=NAME"}, request);
  const Result<PriceQuestion> question = price_question_of_node(service.ledger(), node);
  if (!question) return problem(question.error(), request);
  const std::shared_ptr<const PriceBook> book = service.prices().book();
  const Result<PriceQuestion> complete = complete_question(*book, *question, node);
  if (!complete) return problem(complete.error(), request);
  return json_response(price_explanation_json(explain_price(*book, *complete, service.clock().now())));
}

}  // namespace seedance
