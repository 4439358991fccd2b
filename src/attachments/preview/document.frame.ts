import { convertDocument } from './documentConversion.ts'

// For a missing image, docx-preview sets the address to null, which browsers request as a file named "null".
const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')!
Object.defineProperty(HTMLImageElement.prototype, 'src', {
  ...source,
  set(this: HTMLImageElement, address: string | null) {
    if (address !== null) source.set!.call(this, address)
  },
})

/** Converts the document from our page to HTML; replies undefined if it cannot be converted. */
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
