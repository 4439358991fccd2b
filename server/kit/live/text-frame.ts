/** First byte of the final frame of a text message. */
const FINAL_TEXT = 0x81
/** Values of the second byte for lengths in the next two or eight bytes. */
const IN_TWO = 126
const IN_EIGHT = 127

let last: { readonly text: string; readonly frame: Buffer } | undefined

/**
 * A text as a WebSocket frame of a server (RFC 6455 §5.2). Caches the last frame, because the members of a room are
 * sent the same one in turn: `ws` would build and write a header for each member, a third of a message's cost.
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
