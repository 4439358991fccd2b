declare module 'heic-decode' {
  interface HeicImage {
    readonly width: number
    readonly height: number
    decode(): Promise<{ readonly width: number; readonly height: number; readonly data: Uint8ClampedArray }>
  }
  const heicDecode: { all(options: { readonly buffer: Uint8Array }): Promise<readonly HeicImage[]> }
  export default heicDecode
}
