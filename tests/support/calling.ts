import type { BrowserContext, Page } from '@playwright/test'

import { CHROMIUM_FLAGS } from './chromium.ts'

/** A Chromium whose camera shows a moving picture and whose microphone beeps, both allowed to every page. */
export const CALLING_FLAGS = [
  ...CHROMIUM_FLAGS,
  '--use-fake-device-for-media-stream=fps=5',
  '--use-fake-ui-for-media-stream',
  '--auto-select-desktop-capture-source=Entire screen',
  // The stories press everything themselves.
  '--autoplay-policy=no-user-gesture-required',
]

/** Lets a story look into the lines of its pages. */
export const watchLines = (context: BrowserContext): Promise<unknown> =>
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

/** What has arrived on one line. */
export interface Arrived {
  readonly state: RTCPeerConnectionState
  /** Of camera and screen together. */
  readonly frames: number
  /** Of the sound; grows while anything is heard. */
  readonly energy: number
}

/** What has arrived at a page on each line that is not closed. */
export const arrivedAt = (page: Page): Promise<Arrived[]> =>
  page.evaluate(async () => {
    const { lines = [] } = window as { lines?: RTCPeerConnection[] }
    const open = lines.filter(({ connectionState }) => connectionState !== 'closed')
    return Promise.all(
      open.map(async (line) => {
        const reports = [...(await line.getStats()).values()].filter(({ type }) => type === 'inbound-rtp')
        const sum = (field: string) =>
          reports.reduce((all, report) => all + (report[field] ?? 0), 0) as number
        return {
          state: line.connectionState,
          frames: sum('framesDecoded'),
          energy: sum('totalAudioEnergy'),
        }
      }),
    )
  })
