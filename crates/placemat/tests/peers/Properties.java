import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.TreeMap;

/** Reads property files, one a line in hexadecimal, and writes their keys and values in hexadecimal. */
class Properties {
    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = lines.readLine()) != null; ) {
            var properties = new java.util.Properties();
            properties.load(new StringReader(new String(HexFormat.of().parseHex(line), StandardCharsets.UTF_8)));
            var text = new StringBuilder();
            for (var entry : new TreeMap<>(properties).entrySet()) {
                for (char unit : (entry.getKey() + "\0" + entry.getValue() + "\0").toCharArray()) {
                    text.append(String.format("%04x", (int) unit));
                }
            }
            System.out.println(text);
        }
    }
}
