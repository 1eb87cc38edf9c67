import { APP_VERSION } from '#protocol/constants.ts'

/** Plain text for whoever asks which version runs. */
export function AppVersionPage() {
  return <>{APP_VERSION}</>
}
