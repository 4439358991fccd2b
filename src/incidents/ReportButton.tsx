import DownloadRounded from '@mui/icons-material/DownloadRounded'
import { useNotify } from 'ra-core'

import { incidentsApi } from '#contract/incidents/api.ts'
import { call, type DownloadedFile } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { useSubmitOnce } from '#src/kit/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { QuietButton } from './QuietButton.tsx'

/** How long the browser may take to begin with the file. */
const KEPT_MS = 60_000

function hand({ blob, fileName }: DownloadedFile) {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}

/** Downloads the report of an incident as a PDF. */
export function ReportButton({ id }: { id: string }) {
  const text = useText()
  const notify = useNotify()
  const { busy, submit } = useSubmitOnce(async () => {
    try {
      hand(await call(incidentsApi.report, { params: { id }, query: { type: 'PDF' } }))
    } catch (error) {
      notify(messageOf(error, text('incidents.reportFailed')), { type: 'error' })
    }
  })
  return (
    <QuietButton
      icon={<DownloadRounded />}
      label={text(busy ? 'incidents.reportMaking' : 'incidents.report')}
      loading={busy}
      onClick={submit}
    />
  )
}
