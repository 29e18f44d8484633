import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.util.HexFormat;

/** Java on short strings: `Forms read|write data|CHARSET`, with the lines of `forms.py`. */
class Forms {
    static final HexFormat HEX = HexFormat.of();

    static String text(byte[] data, String name) throws Exception {
        if (!name.equals("data")) {
            return Charset.forName(name).newDecoder().decode(ByteBuffer.wrap(data)).toString();
        }
        var framed = new byte[data.length + 2];
        framed[0] = (byte) (data.length >> 8);
        framed[1] = (byte) data.length;
        System.arraycopy(data, 0, framed, 2, data.length);
        return new DataInputStream(new ByteArrayInputStream(framed)).readUTF();
    }

    static byte[] bytes(String text, String name) throws Exception {
        var out = new ByteArrayOutputStream();
        if (!name.equals("data")) {
            ByteBuffer found = Charset.forName(name).newEncoder().encode(CharBuffer.wrap(text));
            out.write(found.array(), 0, found.limit());
            return out.toByteArray();
        }
        new DataOutputStream(out).writeUTF(text);
        return java.util.Arrays.copyOfRange(out.toByteArray(), 2, out.size());
    }

    static String answer(boolean read, byte[] given, String name) {
        try {
            if (read) {
                var all = ByteBuffer.allocate(4 * given.length + 4);
                text(given, name).codePoints().forEach(all::putInt);
                return HEX.formatHex(all.array(), 0, all.position());
            }
            var text = new StringBuilder();
            for (var left = ByteBuffer.wrap(given); left.hasRemaining(); ) {
                text.appendCodePoint(left.getInt());
            }
            return HEX.formatHex(bytes(text.toString(), name));
        } catch (Exception refused) {
            return "-";
        }
    }

    public static void main(String[] arguments) throws Exception {
        var out = new PrintStream(System.out, false, "US-ASCII");
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            out.println(answer(arguments[0].equals("read"), HEX.parseHex(line), arguments[1]));
        }
        out.flush();
    }
}
