import { Sentence, usePayerText } from './text.tsx'

interface OtherPhoneProps {
  readonly code: string | null
  /** The address of this gateway, without a path. */
  readonly origin: string
}

/** The code for another phone, or the button that requests one. */
export function OtherPhone({ code, origin }: OtherPhoneProps) {
  const t = usePayerText()
  return code === null ? (
    <form method="post">
      <input type="hidden" name="intent" value="resume" />
      <button type="submit" className="back">
        {t('otherPhone')}
      </button>
    </form>
  ) : (
    <p className="resume-code">
      <Sentence
        of="otherPhoneCode"
        values={{
          address: <b>{`${origin.replace(/^https?:\/\//, '')}/resume`}</b>,
          code: <b className="whole">{code}</b>,
        }}
      />
    </p>
  )
}
