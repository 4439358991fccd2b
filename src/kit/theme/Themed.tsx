import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'

import { nonce } from './nonce.ts'
import { SCHEME_KEY } from './scheme.ts'
import { getTheme } from './theme.ts'

/** Writes the styles with the page's nonce. One for the page, so that mounting again does not write them again. */
const cache = createCache({ key: 'm', ...(nonce && { nonce }) })

/** The theme and the style cache for everything below. */
export function Themed({ children }: { children: ReactNode }) {
  return (
    <CacheProvider value={cache}>
      <ThemeProvider theme={getTheme()} defaultMode="system" modeStorageKey={SCHEME_KEY} noSsr>
        {children}
      </ThemeProvider>
    </CacheProvider>
  )
}
