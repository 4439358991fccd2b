import { useLocation } from 'react-router-dom'

import { usePageTitle } from '#src/kit/layout/pageTitle.ts'
import { useText } from '#src/kit/useText.ts'

import { type Section, SECTIONS } from './sections.ts'

const covers = (section: Section, pathname: string) =>
  pathname === section.path || (section.path !== '/' && pathname.startsWith(`${section.path}/`))

/** The section of an address: the one with the longest matching path. */
export const sectionOf = (pathname: string): Section | undefined =>
  SECTIONS.filter((section) => covers(section, pathname)).sort((a, b) => b.path.length - a.path.length)[0]

interface Current {
  readonly section: Section | undefined
  /** The page's own title or the section's name. */
  readonly title: string
  /** Title of the browser's tab. */
  readonly tab: string
  readonly atHome: boolean
}
export function useCurrentSection(): Current {
  const { pathname } = useLocation()
  const text = useText()
  const own = usePageTitle()
  const section = sectionOf(pathname)
  const name = section ? text(section.label) : text('app.name')
  return {
    section,
    title: own?.title ?? name,
    tab: own?.tab ?? name,
    atHome: pathname === '/',
  }
}
