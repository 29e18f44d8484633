import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Java as a judge: `Judge lossy|read ENCODING`, with the lines of `judge.py`. */
class Judge {
    public static void main(String[] arguments) throws Exception {
        var out = new PrintStream(System.out, false, "US-ASCII");
        var in = new BufferedReader(new InputStreamReader(System.in));
        var charset = Charset.forName(arguments[1]);
        for (String line; (line = in.readLine()) != null; ) {
            var given = HexFormat.of().parseHex(line);
            try {
                String text = arguments[0].equals("lossy")
                    ? new String(given, charset)
                    : charset.newDecoder().decode(ByteBuffer.wrap(given)).toString();
                out.println(HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)));
            } catch (CharacterCodingException refused) {
                out.println("-");
            }
        }
        out.flush();
    }
}
