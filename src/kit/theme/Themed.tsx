import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'

import { nonce } from './nonce.ts'
import { SCHEME_KEY } from './scheme.ts'
import { getTheme } from './theme.ts'

/** Adds the page's nonce to style elements. One cache per page, so that remounting does not write them again. */
const cache = createCache({ key: 'm', ...(nonce && { nonce }) })

/** Provides the theme and the style cache. */
export function Themed({ children }: { children: ReactNode }) {
  return (
    <CacheProvider value={cache}>
      <ThemeProvider theme={getTheme()} defaultMode="system" modeStorageKey={SCHEME_KEY} noSsr>
        {children}
      </ThemeProvider>
    </CacheProvider>
  )
}
