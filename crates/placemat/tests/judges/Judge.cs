// The class library of .NET, in Mono, as a judge: Judge.exe lossy|read ENCODING, with the lines of judge.py.
using System;
using System.Text;

static class Judge
{
    static void Main(string[] arguments)
    {
        var fallback = arguments[0] == "lossy" ? (DecoderFallback)new DecoderReplacementFallback("\uFFFD") : new DecoderExceptionFallback();
        var encoding = Encoding.GetEncoding(arguments[1], EncoderFallback.ExceptionFallback, fallback);
        var answers = new StringBuilder();
        for (string line; (line = Console.In.ReadLine()) != null; )
        {
            var given = new byte[line.Length / 2];
            for (var i = 0; i < given.Length; i++) given[i] = Convert.ToByte(line.Substring(2 * i, 2), 16);
            try
            {
                foreach (var one in Encoding.UTF8.GetBytes(encoding.GetString(given))) answers.Append(one.ToString("x2"));
            }
            catch (DecoderFallbackException)
            {
                answers.Append('-');
            }
            answers.Append('\n');
        }
        Console.Write(answers);
    }
}
