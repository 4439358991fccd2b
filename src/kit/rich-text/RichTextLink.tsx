import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Popover from '@mui/material/Popover'
import TextField from '@mui/material/TextField'
import type { Editor } from '@tiptap/react'
import { type FormEvent, useState } from 'react'

import { isEmailAddress } from '#contract/kit/text.ts'

import { useText } from '../useText.ts'

/** Normalises an address to a URL with a scheme; null if it is invalid. */
function addressOf(typed: string): string | null {
  const bare = typed.trim()
  const address = /^[a-z][a-z0-9+.-]*:/i.test(bare)
    ? bare
    : isEmailAddress(bare)
      ? `mailto:${bare}`
      : `https://${bare}`
  if (!/^(?:https?:\/\/[^\s/]|mailto:[^\s@]+@)/i.test(address)) return null
  return URL.canParse(address) ? address : null
}

interface Props {
  editor: Editor
  anchor: HTMLElement | null
  onClose: () => void
}

/** Edits the link of the selected text. */
export function RichTextLink({ editor, anchor, onClose }: Props) {
  const text = useText()
  const known = String(editor.getAttributes('link')['href'] ?? '')
  const [typed, setTyped] = useState(known)
  const [wrong, setWrong] = useState(false)
  const close = () => {
    onClose()
    // The popover first returns the focus to its button.
    requestAnimationFrame(() => editor.commands.focus())
  }
  const apply = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const href = addressOf(typed)
    if (href === null) return setWrong(true)
    const chain = editor.chain().extendMarkRange('link')
    if (editor.state.selection.empty && known === '') {
      const marks = [{ type: 'link', attrs: { href } }]
      chain
        .insertContent([
          { type: 'text', text: typed.trim(), marks },
          { type: 'text', text: ' ' },
        ])
        .run()
    } else chain.setLink({ href }).run()
    close()
  }
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={close}
      // Keeps keys from the form around the editor.
      onKeyDown={(event) => event.stopPropagation()}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper: { 'aria-label': text('richText.link') } }}
    >
      <Box
        component="form"
        noValidate
        onSubmit={apply}
        sx={{ display: 'grid', gap: 1.5, p: 2, width: 'min(360px, calc(100vw - 32px))' }}
      >
        <TextField
          label={text('richText.address')}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setWrong(false)
          }}
          error={wrong}
          helperText={wrong ? text('richText.addressInvalid') : undefined}
          autoFocus
          slotProps={{ htmlInput: { inputMode: 'url', placeholder: 'https://' } }}
        />
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
          {known !== '' && (
            <Button
              color="inherit"
              onClick={() => {
                editor.chain().extendMarkRange('link').unsetLink().run()
                close()
              }}
            >
              {text('richText.remove')}
            </Button>
          )}
          <Button type="submit" variant="contained">
            {text('richText.apply')}
          </Button>
        </Box>
      </Box>
    </Popover>
  )
}
