import { useLayoutEffect } from 'react'

import { setPageTitle } from './pageTitle.ts'

interface Props {
  title: string
  /** Title of the browser's tab, where it says more. */
  tab?: string
}

/** Sets a page title that is more specific than the section's, in the header and in the browser's tab. */
export function PageTitle({ title, tab = title }: Props) {
  useLayoutEffect(() => setPageTitle(title, tab), [title, tab])
  return null
}
