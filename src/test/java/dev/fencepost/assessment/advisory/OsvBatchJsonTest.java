package dev.fencepost.assessment.advisory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.assessment.advisory.OsvBatchJson.Asked;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against exchanges with the real API, as osv-scanner's tests recorded them. */
class OsvBatchJsonTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "querybatch-debian10-98.json",
        "querybatch-maven-log4j.json",
        "querybatch-mixed-empty-results.json"
      })
  void a_batch_is_written_as_the_recorded_one(String file) throws IOException {
    var recorded = recorded(file).path("request").path("body");

    var asked = new ArrayList<Asked>();
    for (var query : recorded.path("queries")) {
      asked.add(
          new Asked(
              new OsvQuery(
                  query.path("package").path("ecosystem").asText(),
                  query.path("package").path("name").asText(),
                  query.path("version").asText()),
              null));
    }

    assertThat(JSON.readTree(OsvBatchJson.write(asked))).isEqualTo(recorded);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "querybatch-debian10-98.json",
        "querybatch-git-commits.json",
        "querybatch-maven-log4j.json",
        "querybatch-mixed-empty-results.json"
      })
  void a_recorded_answer_is_read_in_the_order_of_its_queries(String file) throws IOException {
    var exchange = recorded(file);
    var results = exchange.path("response").path("body").path("results");

    var pages =
        OsvBatchJson.read(
            exchange.path("response").path("body").toString().getBytes(UTF_8),
            exchange.path("request").path("body").path("queries").size());

    assertThat(pages).hasSize(results.size());
    for (var i = 0; i < pages.size(); i++) {
      var ids = results.get(i).findValuesAsText("id");
      assertThat(pages.get(i).references()).extracting(OsvReference::id).isEqualTo(ids);
      assertThat(pages.get(i).nextPageToken()).isNull();
    }
  }

  @Test
  void an_empty_result_has_no_vulns_at_all() throws IOException {
    var body = recorded("querybatch-mixed-empty-results.json").path("response").path("body");

    assertThat(OsvBatchJson.read(body.toString().getBytes(UTF_8), 7))
        .extracting(page -> page.references().size())
        .containsExactly(1, 1, 0, 1, 0, 0, 0);
  }

  private static JsonNode recorded(String file) throws IOException {
    return JSON.readTree(Path.of("src/test/resources/fixtures/osv-api", file).toFile());
  }
}
