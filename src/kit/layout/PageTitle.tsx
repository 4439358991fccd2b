import { useLayoutEffect } from 'react'

import { setPageTitle } from './pageTitle.ts'

/** Sets a page title that is more specific than the section's, in the header and in the browser's tab. */
export function PageTitle({ title }: { title: string }) {
  useLayoutEffect(() => setPageTitle(title), [title])
  return null
}
