/** The last part of a message that is text. */
const FINAL_TEXT = 0x81
/** What the second byte says where the length follows in two or in eight bytes. */
const IN_TWO = 126
const IN_EIGHT = 127

let last: { readonly text: string; readonly frame: Buffer } | undefined

/**
 * A text as a WebSocket frame of a server (RFC 6455 §5.2). The members of a room are sent one frame after the other, so the last
 * one is kept: `ws` makes a header for each member and writes it apart, a third of what a message cost the server.
 */
export function textFrame(text: string): Buffer {
  if (last?.text === text) return last.frame
  const length = Buffer.byteLength(text)
  const start = length < IN_TWO ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafeSlow(start + length)
  frame[0] = FINAL_TEXT
  if (start === 2) frame[1] = length
  else if (start === 4) {
    frame[1] = IN_TWO
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = IN_EIGHT
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, start)
  last = { text, frame }
  return frame
}
