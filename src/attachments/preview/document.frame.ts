import { convertDocument } from './documentConversion.ts'

// For an image that is missing docx-preview sets the address null, which browsers request as a file of that name.
const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')!
Object.defineProperty(HTMLImageElement.prototype, 'src', {
  ...source,
  set(this: HTMLImageElement, address: string | null) {
    if (address !== null) source.set!.call(this, address)
  },
})

/** Answers the document that arrives from our page as HTML, or undefined where it cannot be converted. */
addEventListener(
  'message',
  ({ data, ports: [port], source: sender }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
    if (sender !== parent || !port) return
    convertDocument(data).then(
      (converted) => port.postMessage(converted),
      () => port.postMessage(undefined),
    )
  },
)
