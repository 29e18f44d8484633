import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.HashSet;
import java.util.HexFormat;

/** The code point of each byte in Java, with the lines of `single_byte.py`. */
public class SingleByte {
    static String table(Charset charset) {
        StringBuilder cells = new StringBuilder();
        StringBuilder others = new StringBuilder();
        for (int b = 0; b < 256; b++) {
            CharsetDecoder decoder = charset.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
            CharBuffer out = CharBuffer.allocate(8);
            CoderResult result = decoder.decode(ByteBuffer.wrap(new byte[] {(byte) b}), out, true);
            if (result.isMalformed()) {
                return null;
            }
            if (result.isUnmappable()) {
                cells.append(" ----");
                continue;
            }
            decoder.flush(out);
            out.flip();
            if (out.remaining() != 1) {
                return null;
            }
            char c = out.get(0);
            cells.append(c == 0xFFFD ? " ----" : String.format(" %04x", (int) c));
            if (c != 0xFFFD && charset.canEncode()) {
                byte[] written = charset.newEncoder().canEncode(c) ? String.valueOf(c).getBytes(charset) : new byte[0];
                if (written.length != 1 || written[0] != (byte) b) {
                    String hex = HexFormat.of().formatHex(written);
                    others.append(String.format(" %04x=%s", (int) c, hex.isEmpty() ? "--" : hex));
                }
            }
        }
        return cells.toString() + others;
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            String[] words = line.split(" ");
            HashSet<String> names = new HashSet<>();
            for (int i = 1; i < words.length; i++) {
                try {
                    Charset charset = Charset.forName(words[i]);
                    String table = names.add(charset.name()) ? table(charset) : null;
                    if (table != null) {
                        System.out.println(words[0] + " java " + charset.name() + table);
                    }
                } catch (IllegalArgumentException unknown) {
                    continue;
                }
            }
        }
    }
}
