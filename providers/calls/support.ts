/** Said where a call cannot begin (foundation §8). */
export const UNSUPPORTED = 'This browser does not support calls.'

/** Whether this browser carries calls. Pages on plain http, other than this machine's, have no devices either. */
export const isCallSupported = (): boolean =>
  typeof RTCPeerConnection !== 'undefined' && navigator.mediaDevices !== undefined
