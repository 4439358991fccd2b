import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { createElement, Fragment, type ReactNode, useMemo } from 'react'

import { useText } from '../useText.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { prose } from './prose.ts'
import { useFold } from './useFold.ts'

/** Rendered elements by name; others are reduced to their text. */
const SHOWN: Readonly<Record<string, string>> = {
  P: 'p',
  BR: 'br',
  STRONG: 'strong',
  B: 'strong',
  EM: 'em',
  I: 'em',
  U: 'u',
  S: 's',
  CODE: 'code',
  PRE: 'pre',
  UL: 'ul',
  OL: 'ol',
  LI: 'li',
  BLOCKQUOTE: 'blockquote',
  HR: 'hr',
  A: 'a',
  TABLE: 'table',
  THEAD: 'thead',
  TBODY: 'tbody',
  TR: 'tr',
  TH: 'th',
  TD: 'td',
}
const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:)/i

const HEADING = /^H([1-3])$/
/** Blocks whose bullet or line is on the side where their own text begins. */
const SIDED = ['LI', 'BLOCKQUOTE']
/** Elements that may contain only elements. */
const TABLE_PARTS = ['TABLE', 'THEAD', 'TBODY', 'TR']

function propsOf(element: Element): Record<string, unknown> {
  if (element.tagName === 'A') {
    const href = element.getAttribute('href') ?? ''
    return SAFE_ADDRESS.test(href) ? { href, target: '_blank', rel: 'noopener noreferrer nofollow' } : {}
  }
  if (SIDED.includes(element.tagName)) return { dir: 'auto' }
  const start = Number(element.getAttribute('start'))
  return element.tagName === 'OL' && start > 1 ? { start } : {}
}

/** A table wider than the page scrolls by itself, with the keyboard as well. */
function TableFrame({ children }: { children: ReactNode }) {
  const text = useText()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <Box role="group" aria-label={text('richText.table')} tabIndex={0} sx={{ overflowX: 'auto' }}>
      <Box component="table" dir="auto" sx={{ display: 'table' }}>
        {children}
      </Box>
    </Box>
  )
}

interface Rendering {
  /** Level of the last heading: headings of the text start below the page's and skip no level. */
  level: number
  /** Level of the page's heading above the text. */
  readonly above: number
  readonly renderText: ((text: string) => ReactNode) | undefined
}
/** Elements whose text is not transformed. */
const VERBATIM = ['A', 'CODE', 'PRE']

function nodesOf(parent: Node, last: Rendering): ReactNode[] {
  const renderText = VERBATIM.includes(parent.nodeName) ? undefined : last.renderText
  return [...parent.childNodes].map((node, index) => {
    if (node.nodeType === Node.TEXT_NODE && TABLE_PARTS.includes(parent.nodeName)) return null
    if (node.nodeType === Node.TEXT_NODE)
      return renderText ? (
        <Fragment key={index}>{renderText(node.textContent ?? '')}</Fragment>
      ) : (
        node.textContent
      )
    if (!(node instanceof Element)) return null
    const size = HEADING.exec(node.tagName)?.[1]
    if (size) {
      last.level = Math.min(last.above + Number(size), last.level + 1)
      const props = { key: index, 'data-level': size }
      return createElement(`h${last.level}`, props, ...nodesOf(node, last))
    }
    const tag = SHOWN[node.tagName]
    if (tag === undefined) return <Fragment key={index}>{node.textContent}</Fragment>
    if (tag === 'pre') return <CodeBlock key={index} code={node.textContent} />
    const children = node.hasChildNodes() ? nodesOf(node, last) : []
    if (tag === 'table') return <TableFrame key={index}>{children}</TableFrame>
    return createElement(tag, { key: index, ...propsOf(node) }, ...children)
  })
}

interface NodesProps {
  /** HTML sanitised by the server. */
  html: string
  /** Renders plain text outside links and code. Must be stable between renders. */
  renderText?: ((text: string) => ReactNode) | undefined
  /** Level of the page's heading above the text. */
  above?: number | undefined
}
/** Rich text without a wrapper, for lists that style all of their texts at once. */
export function RichTextNodes({ html, above = 3, renderText }: NodesProps) {
  return useMemo(
    () =>
      nodesOf(new DOMParser().parseFromString(html, 'text/html').body, { level: above, above, renderText }),
    [html, above, renderText],
  )
}

interface Props extends NodesProps {
  /** Height in pixels at which a longer text folds until it is expanded. */
  foldAt?: number
}

/** Shows rich text, built from known elements only, so that nothing else can reach the page. */
export function RichTextView({ foldAt, ...text }: Props) {
  const { open, folds, content, toggle } = useFold(foldAt !== undefined)
  const folded = folds && !open
  return (
    <>
      <Box
        {...content}
        dir="auto"
        sx={[
          prose,
          foldAt !== undefined && !open && { maxHeight: foldAt, overflow: 'hidden' },
          folded && { maskImage: 'linear-gradient(#000 calc(100% - 48px), transparent)' },
        ]}
      >
        <RichTextNodes {...text} />
      </Box>
      {folds && <Button size="small" {...toggle} sx={{ mt: 1, ml: -0.5 }} />}
    </>
  )
}
