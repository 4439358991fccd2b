import { type FormEvent, useState } from 'react'

import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { useSession } from '#providers/session.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'

import { CopyButton } from './CopyButton.tsx'
import { StepHeading } from './StepHeading.tsx'

/** In two halves, as people read it. */
const shown = (code: string) => {
  const digits = code.replace(/\D/g, '')
  return `${digits.slice(0, digits.length / 2)} ${digits.slice(digits.length / 2)}`
}

interface Props {
  codes: readonly string[]
  email: string
  onContinue: () => void
}

/** The codes for the day when the phone is gone, shown once. */
export function RecoveryCodes({ codes, email, onContinue }: Props) {
  const { organisation } = useSession()
  const [saved, setSaved] = useState(false)
  const [notCopied, setNotCopied] = useState(false)
  const lines = codes.map(shown)
  const download = () => saveFile(...fileOf(organisation?.code ?? '', email, lines))
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (saved) onContinue()
  }
  return (
    <>
      <StepHeading>{texts.codesTitle}</StepHeading>
      <p className="plain-lead">{texts.codesText}</p>
      <form onSubmit={onSubmit}>
        <ul className="recovery-codes" aria-label={texts.codesList} dir="ltr" translate="no">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <div className="plain-buttons">
          <CopyButton value={lines.join('\n')} label={texts.copyCodes} onFail={() => setNotCopied(true)} />
          <button type="button" className="plain-button" data-tone="quiet" onClick={download}>
            {texts.download}
          </button>
        </div>
        {notCopied && (
          <p className="plain-said" role="alert">
            {texts.notCopied}
          </p>
        )}
        <label className="check">
          <input type="checkbox" checked={saved} onChange={(event) => setSaved(event.target.checked)} />
          {texts.saved}
        </label>
        <button type="submit" className="plain-button" disabled={!saved}>
          {texts.continue}
        </button>
      </form>
    </>
  )
}

/** What is downloaded: says itself whose codes these are and what they are for. */
function fileOf(code: string, email: string, lines: readonly string[]): [Blob, string] {
  const text = [
    texts.fileTitle,
    `${texts.fileOrganization}: ${code}`,
    `${texts.fileAccount}: ${email}`,
    `${texts.fileMade}: ${new Date().toISOString().slice(0, 10)}`,
    '',
    ...lines,
    '',
    texts.fileText,
    '',
  ]
  const name = `muster-recovery-codes-${code.replace(/[^\w-]+/g, '_')}.txt`
  return [new Blob([text.join('\r\n')], { type: 'text/plain;charset=utf-8' }), name]
}
