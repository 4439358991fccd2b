import ImageRounded from '@mui/icons-material/ImageRounded'
import Avatar from '@mui/material/Avatar'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Typography from '@mui/material/Typography'
import { useNotify } from 'react-admin'
import { useEffect, useState } from 'react'

import { PICTURE_ACCEPTS, PICTURE_MAX_BYTES, PICTURE_TOO_LARGE } from '#contract/account/schema.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { DropArea } from '#src/kit/form/DropArea.tsx'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { useText } from '#src/kit/useText.ts'

import { AccountDialog } from './AccountDialog.tsx'
import { previewPicture, removePicture, savePicture } from './queries.ts'

const SHOWN_SIZE = 160

interface Preview {
  /** Object URL of the converted image. */
  readonly url?: string
  readonly problem?: string
  /** True if a retry with this image may succeed. */
  readonly canRetry?: boolean
}

/** A chosen image. A retry makes a new object, so that the preview is requested again. */
interface Chosen {
  readonly file: File
}

/** The server's preview of the chosen image; undefined while it loads. */
function usePreview(chosen: Chosen | undefined, notConverted: string): Preview | undefined {
  const [preview, setPreview] = useState<{ of: Chosen; was: Preview }>()
  useEffect(() => {
    if (!chosen) return undefined
    const { file } = chosen
    const stop = new AbortController()
    let url: string | undefined
    const convert = async (): Promise<Preview> => {
      if (file.size > PICTURE_MAX_BYTES) return { problem: PICTURE_TOO_LARGE }
      try {
        url = URL.createObjectURL(await previewPicture(file, stop.signal))
        return { url }
      } catch (error) {
        const canRetry = ![400, 413, 415].includes(statusOf(error) ?? 0)
        return { problem: messageOf(error, notConverted), canRetry }
      }
    }
    const forget = () => url && URL.revokeObjectURL(url)
    void convert().then((was) => (stop.signal.aborted ? forget() : setPreview({ of: chosen, was })))
    return () => {
      stop.abort()
      forget()
    }
  }, [chosen, notConverted])
  return preview && preview.of === chosen ? preview.was : undefined
}

/** Chooses, previews, saves and removes the person's picture. */
export function AvatarDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const { user } = useSession()
  const [chosen, setChosen] = useState<Chosen>()
  const preview = usePreview(chosen, text('account.avatar.notConverted'))
  const [busy, setBusy] = useState<'saving' | 'removing'>()
  const [problem, setProblem] = useState<string>()
  const converting = chosen !== undefined && preview === undefined

  const act = async (doing: 'saving' | 'removing', deed: () => Promise<void>, said: string) => {
    setBusy(doing)
    setProblem(undefined)
    try {
      await deed()
      notify(said, { type: 'success' })
      onClose()
    } catch (error) {
      setProblem(messageOf(error, text('account.avatar.notSaved')))
    } finally {
      setBusy(undefined)
    }
  }
  const choose = (file: File) => {
    setProblem(undefined)
    setChosen({ file })
  }
  const shown = preview?.url ? 'preview' : 'yours'
  return (
    <AccountDialog
      title={text('account.manageAvatar')}
      dirty={preview?.url !== undefined}
      busy={busy !== undefined}
      problem={problem ?? preview?.problem}
      onClose={onClose}
      aside={
        user?.profileImageUrl &&
        !chosen && (
          <Button
            color="error"
            loading={busy === 'removing'}
            onClick={() => void act('removing', removePicture, text('account.avatar.removed'))}
          >
            {text('account.avatar.remove')}
          </Button>
        )
      }
      action={
        preview?.canRetry ? (
          <Button variant="contained" onClick={() => chosen && choose(chosen.file)}>
            {text('kit.retry')}
          </Button>
        ) : (
          <Button
            variant="contained"
            disabled={!preview?.url}
            loading={busy === 'saving'}
            onClick={() =>
              chosen && void act('saving', () => savePicture(chosen.file), text('account.avatar.saved'))
            }
          >
            {text('account.save')}
          </Button>
        )
      }
    >
      <DropArea
        accept={PICTURE_ACCEPTS.join(',')}
        disabled={busy !== undefined}
        onChoose={([file]) => file && choose(file)}
      >
        {({ over, ask }) => (
          <>
            <Box
              role="img"
              aria-label={text(`account.avatar.${shown}`)}
              sx={{ position: 'relative', width: SHOWN_SIZE, height: SHOWN_SIZE }}
            >
              {preview?.url ? (
                <Avatar src={preview.url} alt="" sx={{ width: SHOWN_SIZE, height: SHOWN_SIZE }} />
              ) : (
                user && (
                  <Initials
                    firstName={user.firstName}
                    lastName={user.lastName}
                    imageUrl={user.profileImageUrl}
                    size={SHOWN_SIZE}
                  />
                )
              )}
              {converting && (
                <CircularProgress
                  size={SHOWN_SIZE}
                  thickness={1.5}
                  aria-label={text('account.avatar.converting')}
                  sx={{ position: 'absolute', inset: 0 }}
                />
              )}
            </Box>
            <Button variant="outlined" startIcon={<ImageRounded />} onClick={ask}>
              {text(chosen ? 'account.avatar.chooseOther' : 'account.avatar.choose')}
            </Button>
            <Typography
              variant="caption"
              // Dragging files needs a mouse.
              sx={{ color: 'text.secondary', '@media (pointer: coarse)': { display: 'none' } }}
            >
              {text(over ? 'account.avatar.dropNow' : 'account.avatar.drop')}
            </Typography>
          </>
        )}
      </DropArea>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {text('account.avatar.text')}
      </Typography>
    </AccountDialog>
  )
}
