import type { texts as english } from '../en/privacy.ts'
import type { Translation } from '../messages.ts'

export const texts: Translation<typeof english> = {
  'privacy.lead':
    'Las conversaciones no se graban y los chats no se guardan nunca. Este aviso explica lo poco que sí guardamos, por qué, y cómo puedes pedir que se elimine.',
  'privacy.profile': 'Qué guardamos sobre ti',
  'privacy.profile.intro': 'Tu perfil, y solo lo que necesita:',
  'privacy.profile.email': 'tu correo electrónico, tal como nos lo da Google o Facebook cuando inicias sesión;',
  'privacy.profile.nickname': 'el apodo que eliges;',
  'privacy.profile.gender': 'tu género;',
  'privacy.profile.birth': 'tu fecha de nacimiento, porque este servicio es solo para adultos;',
  'privacy.profile.picture':
    'tu foto de perfil. Las personas con las que te encuentras solo la ven si lo activas en tu perfil, y solo mientras estáis emparejados.',
  'privacy.profile.technical':
    'También anotamos que diste tu consentimiento y cuándo, y los datos técnicos de una visita: navegador, tipo de dispositivo, sistema operativo, dirección IP y el lugar al que apunta. Protegen el servicio contra los abusos.',
  'privacy.conversations': 'Tus conversaciones',
  'privacy.conversations.text':
    'La imagen y el sonido van cifrados de tu dispositivo a la otra persona. No se graban. Los mensajes de texto se transmiten y se olvidan: los chats no se guardan nunca, ni nosotros los guardamos ni se guardan en tu navegador.',
  'privacy.others': 'Qué ven los demás',
  'privacy.others.text':
    'La persona con la que hablas ve la imagen de tu cámara, tu apodo y lo que escribes. Tu correo electrónico, tu nombre y tu fecha de nacimiento nunca se envían a otro usuario.',
  'privacy.moderation': 'Imágenes de la cámara y moderación',
  'privacy.frames.sent':
    'Mientras el panel muestra tu cámara, cada diez segundos se envía una imagen de ella a nuestro servidor.',
  'privacy.frames.unknown':
    'Que después un programa de nuestro servidor la examine en busca de contenido explícito depende de cómo esté configurado el servicio.',
  'privacy.frames.on':
    'Después, un programa de nuestro servidor la examina en busca de contenido explícito. Una sola señal no tiene consecuencias; varias en poco tiempo se conservan, cifradas, para que las vea un moderador.',
  'privacy.frames.off': 'Ahora mismo ningún programa examina lo que muestra.',
  'privacy.frames.kept':
    'Anotamos cuándo llegó y su tamaño, y miramos si es negra o se repite; una imagen que no se conserva como se dice aquí se descarta al momento y no se escribe en ningún sitio. Las imágenes de una llamada solo se envían cuando se denuncia a alguien: lo que vio quien denuncia y la cámara de la persona denunciada. Se conservan cifradas hasta que se decide el caso, y después se borran.',
  'privacy.cookies': 'Cookies',
  'privacy.cookies.text':
    'Las cookies necesarias mantienen tu sesión y tu acceso; ningún script puede leerlas. Otra más recuerda el idioma que elegiste. Las cookies de publicidad y análisis solo se guardan, y los informes sobre fallos de la página solo se guardan y se envían, si lo permites en el aviso de cookies; con «Ajustes de cookies», al pie de cada página, cambias tu respuesta, y todo funciona sin ellas.',
  'privacy.sharing': 'Quién más recibe datos',
  'privacy.sharing.text':
    'No vendemos tus datos. Google o Facebook saben que inicias sesión aquí, según sus propias condiciones. Las actividades ilegales se comunican a las autoridades, con lo que la ley nos pida entregar.',
  'privacy.security': 'Cómo se protegen',
  'privacy.security.text':
    'Las conexiones van cifradas. Las claves de tu sesión están en cookies que ningún script puede leer. Para los demás usuarios eres un apodo y nada más.',
  'privacy.rights': 'Tus derechos',
  'privacy.rights.text':
    'Puedes preguntar qué sabemos de ti, pedir que se corrija, llevarte una copia, oponerte o retirar un consentimiento en cualquier momento. También puedes reclamar ante la autoridad de protección de datos del lugar donde vives.',
  'privacy.rights.copy':
    'Con «Descargar mis datos», en tu perfil, recibes al momento una copia de todo lo que guardamos sobre ti.',
  'privacy.deletion': 'Eliminación',
  'privacy.deletion.here':
    'Inicia sesión, abre tu perfil arriba a la derecha y elige «Eliminar mi cuenta». Allí te decimos hasta cuándo puedes cambiar de idea.',
  'privacy.deletion.text':
    'O escribe a <contact/> desde la dirección con la que inicias sesión y pide la eliminación. Las solicitudes se atienden en un plazo de 10 días hábiles; entonces se borran tu perfil y todo lo que le pertenece, salvo lo necesario para un bloqueo o un caso en curso.',
  'privacy.deletion.facebook':
    'Si llegaste a través de Facebook, <page>la página de eliminación de datos</page> explica lo mismo paso a paso.',
  'privacy.payments': 'Pagos',
  'privacy.payments.text':
    'Hoy no hay nada que pagar. Puede que lleguen funciones prémium; los pagos se harían entonces a través de pasarelas que cumplen la normativa, y nunca veríamos tu tarjeta.',
  'privacy.changes': 'Cambios y contacto',
  'privacy.changes.text':
    'Este aviso forma parte de nuestros <terms>términos y condiciones</terms>. Cuando cambia, cambia también la fecha de arriba. Las preguntas van a <contact/>.',
}
