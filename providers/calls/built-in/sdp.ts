/** Video codecs of all browsers that support calls, and retransmission. More would make each signal long. */
const CODECS = /^video\/(VP8|H264|rtx)$/i

/** Restricts the video codecs of a transceiver. */
export function preferCodecs(transceiver: RTCRtpTransceiver): void {
  const codecs = RTCRtpReceiver.getCapabilities('video')?.codecs.filter(({ mimeType }) =>
    CODECS.test(mimeType),
  )
  if (!codecs || codecs.length === 0) return
  try {
    transceiver.setCodecPreferences(codecs)
  } catch {
    // The browser's own order works as well.
  }
}

/** Enables DTX (less data during silence) and FEC (repair of lost packets) in Opus. */
export function tuned(sdp: string): string {
  const opus = /^a=rtpmap:(\d+) opus\/48000/im.exec(sdp)?.[1]
  if (opus === undefined) return sdp
  return sdp.replace(new RegExp(`^(a=fmtp:${opus} )(.*)$`, 'm'), (_, head: string, parameters: string) => {
    const others = parameters
      .trim()
      .split(';')
      .filter((one) => !/^(useinbandfec|usedtx)=/.test(one.trim()))
    return `${head}${[...others, 'useinbandfec=1', 'usedtx=1'].join(';')}`
  })
}
