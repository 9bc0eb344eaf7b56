package dev.fencepost.assessment.advisory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bodies of OSV's {@code querybatch}. */
final class OsvBatchJson {

  private static final ObjectMapper JSON = new ObjectMapper();

  private OsvBatchJson() {}

  /**
   * A query, or its continuation.
   *
   * @param pageToken from the page before
   */
  record Asked(OsvQuery query, @Nullable String pageToken) {}

  /**
   * One page of an answer; it may hold a token only.
   *
   * @param nextPageToken absent on the last page
   */
  record Page(List<OsvReference> references, @Nullable String nextPageToken) {}

  static byte[] write(List<Asked> asked) {
    var root = JsonNodeFactory.instance.objectNode();
    var queries = root.putArray("queries");
    for (var one : asked) {
      var query = queries.addObject();
      query
          .putObject("package")
          .put("ecosystem", one.query().ecosystem())
          .put("name", one.query().name());
      query.put("version", one.query().version());
      if (one.pageToken() != null) {
        query.put("page_token", one.pageToken());
      }
    }
    return root.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads the answer to some queries, in their order.
   *
   * @throws AdvisoriesUnavailable if it is not an answer to so many queries
   */
  static List<Page> read(byte[] answer, int queries) {
    var results = tree(answer).path("results");
    if (!results.isArray() || results.size() != queries) {
      throw wrong("results must be an array of " + queries);
    }
    var pages = new ArrayList<Page>();
    for (var result : results) {
      pages.add(page(result));
    }
    return pages;
  }

  /** What an error answer says, if it says anything in OSV's JSON. */
  static String message(byte[] answer) {
    try {
      var message = JSON.readTree(answer).path("message");
      return message.isTextual() ? message.textValue() : "no reason given";
    } catch (IOException e) {
      return "no reason given";
    }
  }

  private static Page page(JsonNode result) {
    var vulns = result.path("vulns"); // absent when nothing was found
    if (!result.isObject() || !(vulns.isArray() || vulns.isNull() || vulns.isMissingNode())) {
      throw wrong("a result must be an object with an array of vulns");
    }
    var references = new ArrayList<OsvReference>();
    for (var vuln : vulns) {
      references.add(new OsvReference(text(vuln, "id"), text(vuln, "modified")));
    }
    var token = result.path("next_page_token");
    return new Page(
        references, token.isTextual() && !token.textValue().isEmpty() ? token.textValue() : null);
  }

  private static JsonNode tree(byte[] answer) {
    try {
      return JSON.readTree(answer);
    } catch (JsonProcessingException e) {
      throw wrong("not JSON" + OsvJson.place(e.getLocation()));
    } catch (IOException e) {
      throw wrong("not readable");
    }
  }

  private static String text(JsonNode node, String field) {
    var text = node.path(field);
    if (!text.isTextual() || text.textValue().isEmpty()) {
      throw wrong("a vuln must have " + field);
    }
    return text.textValue();
  }

  private static AdvisoriesUnavailable wrong(String what) {
    return new AdvisoriesUnavailable("the OSV API's answer is wrong: " + what);
  }
}
