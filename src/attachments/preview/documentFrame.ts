// oxlint-disable-next-line import/default -- the bundler answers the address of the script
import scriptUrl from './document.frame.ts?worker&url'
import type { ConvertedDocument } from './documentConversion.ts'
import { PATIENCE_MS } from '#src/kit/browser/readIn.ts'

/** HTML of the frame, which runs our conversion script and fetches nothing else. */
function framePage(): string {
  const { href } = new URL(scriptUrl, location.href)
  // The development server serves modules only, and sets no policy.
  if (import.meta.env.MODE === 'development')
    return `<!doctype html><body><script type="module" src="${href}"></script>`
  const policy = `default-src 'none'; script-src ${href}; img-src data:`
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><body><script src="${href}"></script>`
}

/**
 * Converts a document in a frame with an opaque origin, which browsers may run in another process. The frame
 * is removed afterwards.
 * @throws Error if it cannot be converted, or takes too long
 */
export function convertInFrame(bytes: Uint8Array<ArrayBuffer>): Promise<ConvertedDocument> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  // The frame is laid out, because the conversion measures lengths.
  Object.assign(frame.style, {
    position: 'fixed',
    width: '800px',
    height: '0',
    border: '0',
    visibility: 'hidden',
  })
  frame.srcdoc = framePage()
  const { port1, port2 } = new MessageChannel()
  return new Promise<ConvertedDocument>((resolve, reject) => {
    const fail = () => reject(new Error('The document cannot be converted.'))
    const timer = setTimeout(fail, PATIENCE_MS)
    port1.addEventListener('message', ({ data }: MessageEvent<ConvertedDocument | undefined>) => {
      clearTimeout(timer)
      if (data) resolve(data)
      else fail()
    })
    port1.start()
    frame.addEventListener('load', () => {
      // The target origin is `*`, because the frame's origin is opaque.
      frame.contentWindow?.postMessage(bytes, '*', [port2, bytes.buffer])
    })
    document.body.append(frame)
  }).finally(() => {
    port1.close()
    frame.remove()
  })
}
