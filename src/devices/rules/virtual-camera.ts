/**
 * Names that virtual cameras (programs that produce a picture) have in the system. Programs that use a phone or a good
 * camera as a webcam (DroidCam, Camo, EOS Webcam Utility) show a real picture and are not included. Windows and macOS
 * use the name of the program. Linux uses the name of the module v4l2loopback, unless its user has set another.
 */
const virtualCameras = [
  ['OBS', /\bobs\b[ -]?(virtual )?cam/i],
  ['ManyCam', /many ?cam/i],
  ['Snap Camera', /snap camera/i],
  ['XSplit', /xsplit/i],
  ['SplitCam', /split ?cam/i],
  ['YouCam', /you ?cam/i],
  ['CamTwist', /camtwist/i],
  ['VCam', /e2esoft|\bvcam\b/i],
  ['AlterCam', /altercam/i],
  ['PRISM', /prism.*(cam|live)/i],
  ['Webcamoid', /webcamoid|akvirtualcamera/i],
  ['Unity Video Capture', /unity video capture/i],
  ['v4l2loopback', /v4l2loopback|dummy video device/i],
] as const

/** Returns the name of the program if this is the label of a known virtual camera; else null. */
export function virtualCameraOf(label: string): string | null {
  return virtualCameras.find(([, known]) => known.test(label))?.[0] ?? null
}
