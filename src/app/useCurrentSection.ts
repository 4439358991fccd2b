import { useLocation } from 'react-router-dom'

import { usePageTitle } from '#src/kit/layout/pageTitle.ts'
import { useText } from '#src/kit/useText.ts'

import { type Section, SECTIONS } from './sections.ts'

const covers = (section: Section, pathname: string) =>
  pathname === section.path || (section.path !== '/' && pathname.startsWith(`${section.path}/`))

/** The section of an address: the one with the longest matching path. */
export const sectionOf = (pathname: string): Section | undefined =>
  SECTIONS.filter((section) => covers(section, pathname)).sort((a, b) => b.path.length - a.path.length)[0]

/** The current section, and the title: the page's own or the section's name. */
export function useCurrentSection(): { section: Section | undefined; title: string; atHome: boolean } {
  const { pathname } = useLocation()
  const text = useText()
  const own = usePageTitle()
  const section = sectionOf(pathname)
  return {
    section,
    title: own ?? (section ? text(section.label) : text('app.name')),
    atHome: pathname === '/',
  }
}
