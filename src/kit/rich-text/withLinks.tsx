import { withoutEnd } from '#contract/kit/cut.ts'
import Link from '@mui/material/Link'
import { Fragment, type ReactNode } from 'react'

const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"]+/gi
/** Characters at the end of an address that belong to the sentence. */
const ENDING = `.,;:!?'"])}`

/** The address without the sentence's punctuation; a closing bracket stays if the address opened it. */
function addressOf(found: string): string {
  const bare = withoutEnd(found, (mark) => ENDING.includes(mark))
  const next = found[bare.length]
  const opened = bare.split('(').length > bare.split(')').length
  return next === ')' && opened ? `${bare})` : bare
}

/** Turns web addresses in plain text into links. Addresses with `www.` use https. */
export function withLinks(text: string): ReactNode[] {
  const nodes: ReactNode[] = []
  let done = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = addressOf(match[0])
    const href = address.toLowerCase().startsWith('www.') ? `https://${address}` : address
    nodes.push(
      text.slice(done, match.index),
      <Link key={match.index} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {address}
      </Link>,
    )
    done = match.index + address.length
  }
  return [...nodes, <Fragment key="rest">{text.slice(done)}</Fragment>]
}
