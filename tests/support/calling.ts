import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'

import { CHROMIUM_FLAGS } from './chromium.ts'
import { DEMO_PASSWORD, signIn } from './product.ts'

/** A Chromium with a moving picture as camera and beeps as microphone, both permitted on every page. */
export const CALLING_FLAGS = [
  ...CHROMIUM_FLAGS,
  '--use-fake-device-for-media-stream=fps=5',
  '--use-fake-ui-for-media-stream',
  '--auto-select-desktop-capture-source=Entire screen',
  // The stories click everything themselves.
  '--autoplay-policy=no-user-gesture-required',
]

/** Exposes the connections of a context's pages to the stories. */
const watchLines = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const lines: RTCPeerConnection[] = []
    const Native = RTCPeerConnection
    class Watched extends Native {
      constructor(configuration?: RTCConfiguration) {
        super(configuration)
        lines.push(this)
      }
    }
    Object.assign(window, { RTCPeerConnection: Watched, lines })
  })

/**
 * Reduces the size of camera pictures and the processing of sound, because one processor handles 30 pictures
 * and six voices in a story of six people.
 */
const captureLittle = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const { prototype } = MediaDevices
    // oxlint-disable-next-line typescript/unbound-method -- called with the devices below
    const capture = prototype.getUserMedia
    const parts = (part: MediaTrackConstraints | boolean | undefined) =>
      typeof part === 'object' ? part : {}
    prototype.getUserMedia = function ({ audio, video }: MediaStreamConstraints = {}) {
      const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false }
      return capture.call(this, {
        ...(audio && { audio: { ...parts(audio), ...plain } }),
        ...(video && { video: { ...parts(video), width: 160, height: 90, frameRate: 5 } }),
      })
    }
  })

/** A person's session as their browser stores it. */
async function sessionIn(url: string, email: string, organisation: string) {
  const { session } = await signIn(url, email, DEMO_PASSWORD, organisation)
  const { authenticationToken, cueRefreshToken, ...others } = session
  const { code, apiUrl } = (await (await fetch(`${url}/registry/${organisation}`)).json()) as Record<
    string,
    string
  >
  const config = await (await fetch(`${apiUrl}/config/public/${code}`)).json()
  const tokens = { ...others, authenticationToken, refreshToken: cueRefreshToken }
  const value = JSON.stringify({ ...others, organisation: { code, apiUrl, config }, tokens })
  return { cookies: [], origins: [{ origin: url, localStorage: [{ name: 'muster.session', value }] }] }
}

/** A browser with a signed-in person and low-resolution devices. */
export async function callingBrowser(
  browser: Browser,
  url: string,
  email: string,
  options: BrowserContextOptions = {},
  organisation = 'demo',
): Promise<BrowserContext> {
  const storageState = await sessionIn(url, email, organisation)
  const context = await browser.newContext({ baseURL: url, storageState, ...options })
  await watchLines(context)
  await captureLittle(context)
  return context
}

/** Data received on one connection. */
export interface Arrived {
  readonly state: RTCPeerConnectionState
  /** Frames of camera and screen. */
  readonly frames: number
  /** Energy of the sound, which grows while anything is heard. */
  readonly energy: number
}

/** Data received by a page on each open connection. */
export const arrivedAt = (page: Page): Promise<Arrived[]> =>
  page.evaluate(() => {
    const { lines = [] } = window as { lines?: RTCPeerConnection[] }
    const open = lines.filter(({ connectionState }) => connectionState !== 'closed')
    return Promise.all(
      open.map(async (line) => {
        const arrived = { state: line.connectionState, frames: 0, energy: 0 }
        for (const report of (await line.getStats()).values()) {
          if (report.type !== 'inbound-rtp') continue
          arrived.frames += report.framesDecoded ?? 0
          arrived.energy += report.totalAudioEnergy ?? 0
        }
        return arrived
      }),
    )
  })
