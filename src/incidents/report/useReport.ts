import { useNotify } from 'react-admin'
import { useEffect, useRef } from 'react'

import { incidentReportsApi } from '#contract/incident-reports/api.ts'
import type { ReportRequest } from '#contract/incident-reports/schema.ts'
import { call, type DownloadedFile } from '#providers/api.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

const ASK_EVERY_MS = 1_000
/** Polls that may fail in a row, such as during a restart of the server. */
const MISSED_MAX = 120

const pause = () => new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))

/** Polls until a report is ready; undefined once aborted. */
async function ready(request: ReportRequest, signal: AbortSignal): Promise<DownloadedFile | undefined> {
  const params = { id: request.id }
  let [latest, missed] = [request, 0]
  while (latest.state === 'MAKING') {
    await pause()
    if (signal.aborted) return undefined
    try {
      latest = await call(incidentReportsApi.progress, { params })
      missed = 0
    } catch (error) {
      const status = statusOf(error) ?? 0
      const isRefused = status >= 400 && status < 500
      if (isRefused || (missed += 1) > MISSED_MAX) throw error
    }
  }
  if (latest.state === 'FAILED') throw new Error()
  return call(incidentReportsApi.requested, { params })
}

/** Downloads the report of an incident as a PDF. A long one is made in the background, and waited for. */
export function useReport(id: string) {
  const text = useText()
  const notify = useNotify()
  const waiting = useRef<AbortController>(undefined)
  useEffect(() => () => waiting.current?.abort(), [])
  const { busy, submit } = useSubmitOnce(async () => {
    const { signal } = (waiting.current = new AbortController())
    try {
      const params = { id }
      const request = await call(incidentReportsApi.request, { params })
      const file = request
        ? await ready(request, signal)
        : await call(incidentReportsApi.file, { params, query: { type: 'PDF' } })
      if (file) saveFile(file.blob, file.fileName)
    } catch (error) {
      if (!signal.aborted) notify(messageOf(error, text('incidents.reportFailed')), { type: 'error' })
    }
  })
  return { busy, download: submit, label: text(busy ? 'incidents.reportMaking' : 'incidents.report') }
}
