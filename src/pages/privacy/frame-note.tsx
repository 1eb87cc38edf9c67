import { useOperator } from '../../parts/use-operator.ts'

/** What happens to a picture of the dashboard is the operator's choice, which a prerendered page does not know yet. */
function classifierText(isOn: boolean | undefined): string {
  if (isOn === undefined)
    return 'Whether a program on our server then examines it for explicit content depends on how the service is set up.'
  return isOn
    ? 'A program on our server then examines it for explicit content. A single flag has no consequences; several within a short time are kept, encrypted, for a moderator to look at.'
    : 'No program examines it for what it shows at present.'
}

export function FrameNote() {
  const operator = useOperator()
  return (
    <p>
      While the dashboard shows your camera, a picture of it is sent to our server every ten seconds.{' '}
      {classifierText(operator?.frameClassifier)} We note when it came and its size, and see whether it is black or
      repeats itself; a picture that is not kept as said here is dropped at once and never written anywhere. Pictures of
      a call are sent only when somebody is reported: what the reporter saw, and the camera of the person reported. They
      are kept encrypted until the case is decided, and then deleted.
    </p>
  )
}
