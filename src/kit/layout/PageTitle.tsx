import { useLayoutEffect } from 'react'

import { setPageTitle } from './pageTitle.ts'

/** Names the page more closely than its section does, in the header and in the browser's tab. */
export function PageTitle({ title }: { title: string }) {
  useLayoutEffect(() => setPageTitle(title), [title])
  return null
}
