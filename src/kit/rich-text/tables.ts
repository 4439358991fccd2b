import { mergeAttributes, Node } from '@tiptap/core'
import { Selection } from '@tiptap/pm/state'

/** Content of a cell: no headings, and no nested table. */
const CELL_CONTENT = '(paragraph | bulletList | orderedList | blockquote | codeBlock)+'

const cellNode = (name: string, tag: 'td' | 'th') =>
  Node.create({
    name,
    content: CELL_CONTENT,
    isolating: true,
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, mergeAttributes(HTMLAttributes), 0],
  })

/**
 * Tables come in by pasting. Their cells can be edited and the whole table deleted; there are no commands for
 * columns and rows, so that the library for them is not loaded (decision 050).
 */
const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: ({ HTMLAttributes }) => ['table', mergeAttributes(HTMLAttributes), ['tbody', 0]],
  addKeyboardShortcuts() {
    const move = (by: 1 | -1) =>
      this.editor.commands.command(({ state, tr, dispatch }) => {
        const { $from } = state.selection
        const depth = Array.from({ length: $from.depth }, (_, n) => $from.depth - n).find((one) =>
          ['tableCell', 'tableHeader'].includes($from.node(one).type.name),
        )
        if (depth === undefined) return false
        const cells: number[] = []
        const start = $from.start(depth - 2)
        $from.node(depth - 2).descendants((node, position) => {
          if (!['tableCell', 'tableHeader'].includes(node.type.name)) return true
          cells.push(start + position)
          return false
        })
        const next = cells[cells.indexOf($from.before(depth)) + by]
        // In the last cell, Tab leaves the editor as usual.
        if (next === undefined) return false
        dispatch?.(tr.setSelection(Selection.near(state.doc.resolve(next + 1))).scrollIntoView())
        return true
      })
    return { Tab: () => move(1), 'Shift-Tab': () => move(-1) }
  },
})
const TableRow = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: ({ HTMLAttributes }) => ['tr', mergeAttributes(HTMLAttributes), 0],
})

/** Tables as stored: rows of cells, without merged cells or widths. */
export const TABLES = [Table, TableRow, cellNode('tableCell', 'td'), cellNode('tableHeader', 'th')]
