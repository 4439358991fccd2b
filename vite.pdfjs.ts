import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Plugin } from 'vite'

const PACKAGE = join(import.meta.dirname, 'node_modules/pdfjs-dist')
/** Character maps, the standard fonts, decoders of pictures, and a colour profile. */
const FOLDERS = ['cmaps', 'standard_fonts', 'wasm', 'iccs']

/**
 * Copies what pdf.js loads by name while it draws. The folder has the version in its name, because files of `assets` are
 * cached for good.
 */
export const pdfjsResources = (): Plugin => ({
  name: 'pdfjs-resources',
  apply: 'build',
  generateBundle() {
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
    for (const folder of FOLDERS)
      for (const name of readdirSync(join(PACKAGE, folder)))
        this.emitFile({
          type: 'asset',
          fileName: `assets/pdfjs-${version}/${folder}/${name}`,
          source: readFileSync(join(PACKAGE, folder, name)),
        })
  },
})
