import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/** Blocks with a side: their bullet, line or first column stands where their own text begins. */
const SIDED = ['listItem', 'blockquote', 'table']

function decorationsOf(doc: Node): DecorationSet {
  const found: Decoration[] = []
  doc.descendants((node, position) => {
    if (SIDED.includes(node.type.name))
      found.push(Decoration.node(position, position + node.nodeSize, { dir: 'auto' }))
    return !node.isTextblock
  })
  return DecorationSet.create(doc, found)
}

/** Gives each list item, quotation and table its own direction by decorations, so that the stored text is unchanged. */
export const Directions = Extension.create({
  name: 'directions',
  addProseMirrorPlugins: () => {
    const plugin: Plugin<DecorationSet> = new Plugin<DecorationSet>({
      state: {
        init: (_, { doc }) => decorationsOf(doc),
        apply: (transaction, before) => (transaction.docChanged ? decorationsOf(transaction.doc) : before),
      },
      props: { decorations: (state) => plugin.getState(state) },
    })
    return [plugin]
  },
})
