// Go as a judge: judge.go lossy|read, with the lines of judge.py. Go has UTF-8 alone.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"unicode/utf8"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		given, err := hex.DecodeString(in.Text())
		if err != nil {
			panic(err)
		}
		if os.Args[1] == "read" && !utf8.Valid(given) {
			fmt.Fprintln(out, "-")
		} else {
			fmt.Fprintln(out, hex.EncodeToString([]byte(string([]rune(string(given))))))
		}
	}
}
