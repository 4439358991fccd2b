import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import { type ReactNode, useState } from 'react'

import { nonce } from './nonce.ts'
import { SCHEME_KEY } from './scheme.ts'
import { getTheme } from './theme.ts'

/** The theme for everything below, and the cache that writes its styles with the page's nonce. */
export function Themed({ children }: { children: ReactNode }) {
  const [cache] = useState(() => createCache({ key: 'm', ...(nonce && { nonce }) }))
  return (
    <CacheProvider value={cache}>
      <ThemeProvider theme={getTheme()} defaultMode="system" modeStorageKey={SCHEME_KEY} noSsr>
        {children}
      </ThemeProvider>
    </CacheProvider>
  )
}
