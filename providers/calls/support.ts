/** The message for a browser without calls (foundation §8). */
export const UNSUPPORTED = 'This browser does not support calls.'

/** True for a browser that supports calls. On plain http, except on localhost, browsers offer no devices. */
export const isCallSupported = (): boolean =>
  typeof RTCPeerConnection !== 'undefined' && navigator.mediaDevices !== undefined

/** True where the browser can leave the noise around a microphone out, and can be told not to. */
export const canSuppressNoise = (): boolean =>
  navigator.mediaDevices?.getSupportedConstraints?.().noiseSuppression === true
