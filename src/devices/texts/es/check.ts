import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/check.ts'

export const texts: Translation<typeof english> = {
  'check.title': 'Comprobación de cámara y conexión',
  'check.again': 'Comprobar otra vez',
  'check.done': 'Cerrar',
  'check.camera.well': 'Tu cámara funciona si te ves.',
  'check.camera.dark': 'Tu imagen está negra. Destapa la cámara, enciende una luz o elige otra cámara.',
  'check.camera.off': 'Tu cámara está apagada. Enciéndela durante la llamada.',
  'check.camera.none': 'No llega imagen de tu cámara. Cierra otros programas que la usen o elige otra.',
  'check.microphone.well': 'Tu micrófono te oye.',
  'check.microphone.silent': 'Todavía no se oye nada. Di algo; si la barra no se mueve, elige otro micrófono.',
  'check.microphone.off': 'Tu micrófono está apagado. Enciéndelo durante la llamada.',
  'check.microphone.none': 'No hay ningún micrófono abierto. Conecta uno o permítelo en los ajustes del sitio.',
  'check.speaker.play': 'Reproducir un tono',
  'check.speaker.unasked': 'Reproduce un tono para probar tu altavoz.',
  'check.speaker.asked': '¿Lo has oído?',
  'check.speaker.yes': 'Sí, lo he oído',
  'check.speaker.no': 'No, no he oído nada',
  'check.speaker.well': 'Tu altavoz funciona.',
  'check.speaker.silent': 'Sube el volumen, revisa los auriculares o elige otro altavoz en los ajustes del sistema.',
  'check.network': 'Red',
  'check.way.checking': '{way}: comprobando...',
  'check.way.open': '{way}: funciona',
  'check.way.closed': '{way}: no funciona',
  'check.way.unoffered': '{way}: este servicio no lo ofrece',
  'check.network.checking': 'Comprobando cómo pasan las llamadas...',
  'check.network.well': 'Las llamadas pasan por tu red.',
  'check.network.no-udp':
    'Tu red no deja pasar UDP. Las llamadas funcionan, pero más lentas. Desactiva la VPN o usa otra red.',
  'check.network.no-relay-reached':
    'Tu red no deja pasar llamadas hasta nuestro servidor. Desactiva la VPN o el cortafuegos, o usa otra red.',
  'check.network.direct-only':
    'Este servicio no tiene servidor intermedio, así que solo hay llamadas directas. Algunas redes, como las de oficinas, quizá no las permitan.',
  'check.network.unread': 'No se ha podido comprobar la red. Revisa tu conexión a internet y prueba otra vez.',
  'check.device': 'Dispositivo',
  'check.device.well':
    'Tu dispositivo tiene {cores, plural, one {# núcleo} other {# núcleos}}: suficiente para una buena imagen.',
  'check.device.weak':
    'Tu dispositivo quizá sea demasiado lento para la mejor imagen. Cierra otros programas o elige Equilibrada en Imagen y datos.',
}
