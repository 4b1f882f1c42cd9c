"""Letters about somebody's own account that he has asked for: not too many of them."""

from django.contrib.auth.models import User
from django.http import HttpRequest

from campaign.account_forms import WhoseLetter
from campaign.services.mail import address
from campaign.views import throttles

ON_ITS_WAY = (
    "If anybody here has that address, a letter to him is on its way. Its link is good for a day."
)
UNDELIVERED = "The letter could not be sent. Look at the address, or try later."


def wait_before_address(request: HttpRequest, user: User, new: str) -> int:
    """Seconds until a letter that confirms that address may go out; 0: now, and it is counted."""
    return throttles.wait(request, ("address", str(user.pk)), ("address-to", new.casefold()))


def too_many(seconds: int) -> str:
    """What is said to whoever has to wait so long."""
    return f"Letters enough have gone out: the next may in {throttles.in_words(seconds)}."


def send_forgotten(request: HttpRequest, form: WhoseLetter) -> None:
    """Write to whoever has the address that was filled in, unless enough letters went there."""
    if throttles.wait(request, ("forgotten-to", form.cleaned_data["email"].casefold())):
        return
    form.save(
        request=request,
        use_https=request.is_secure(),
        subject_template_name="mail/password_subject.txt",
        email_template_name="mail/password.txt",
        extra_email_context={"site": address("")},
    )
