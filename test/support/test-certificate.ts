/**
 * A certificate for `localhost` that nobody has signed but itself, and its key. It guards nothing: it is for the mail
 * servers of the tests, which are trusted where a test says so and refused where it does not. Valid until 2126.
 */
export const testCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg47JSuEAWUwOxoy7N
MwYaGnqVWUL1/GKRn8i2gAP6IJOhRANCAASbwtlBmaytRe8AoL8SebwiPqQu5/Nr
F+EOc9/bYPCb9cBs4Wye0GPenxfyV9HUJCY6PRCYdnkguqKKd/+OONU7
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUXimhzLSVFNUdxtpKuZ+1U9kJpWowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTAyMjUzNFoYDzIxMjYxMDIy
MDIyNTM0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASbwtlBmaytRe8AoL8SebwiPqQu5/NrF+EOc9/bYPCb9cBs4Wye0GPe
nxfyV9HUJCY6PRCYdnkguqKKd/+OONU7o2kwZzAdBgNVHQ4EFgQU3ODT4Jx8oo8l
+cse/IqfgmHdQ7EwHwYDVR0jBBgwFoAU3ODT4Jx8oo8l+cse/IqfgmHdQ7EwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgd7ru1vZkRHdGH1AFMivujR4w1+34ERTq9cc/BPw03csCIQDUIPFkQ8WU
p6JIK0lISp7G9FTDpagauNdCMgWc1IuHIQ==
-----END CERTIFICATE-----
`,
};

/** The same, but expired at the end of 2020. */
export const endedCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRTbn5uhl07aZmdne
fuFUCdOhmlOAFqEx8equKajyp5ahRANCAARtytI0RHCFlhBmX9ZgAlJI1l2iF21W
DRR/jPA1bm3FgOvNiowohXPTJ58Xbu+rKXxk+nUMwXSfFsSo1AqwdHfr
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBXzCCAQWgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARtytI0RHCFlhBmX9Zg
AlJI1l2iF21WDRR/jPA1bm3FgOvNiowohXPTJ58Xbu+rKXxk+nUMwXSfFsSo1Aqw
dHfro0gwRjAUBgNVHREEDTALgglsb2NhbGhvc3QwDwYDVR0TAQH/BAUwAwEB/zAd
BgNVHQ4EFgQU8WpxJ0b6k/WzVKeP2/vZe+qXAHcwCgYIKoZIzj0EAwIDSAAwRQIg
WfU105Yl9ZnNI2kkXjFKemnErFkGuWY3yoZthN5En2kCIQCa+YyvY1l8RhaAsOMu
r7bWHb+QdjHXm4o6eqvB4f/M2g==
-----END CERTIFICATE-----
`,
};

/**
 * One that an authority of its own has signed, for the name `127.1`: 127.0.0.1 to the resolver, and no address to Node, so that a
 * database there counts as one on another machine. Node looks for that name as written out in full. Valid until 2126.
 */
export const signedCertificate = {
  authority: `-----BEGIN CERTIFICATE-----
MIIBrTCCAVOgAwIBAgIUVLQiyaM2zmpxZm5BQ627j5/XgVgwCgYIKoZIzj0EAwIw
IzEhMB8GA1UEAwwYVGhlIGF1dGhvcml0eSBvZiBhIHRydXN0MCAXDTI2MTExNzIz
NDcxMFoYDzIxMjYxMDI0MjM0NzEwWjAjMSEwHwYDVQQDDBhUaGUgYXV0aG9yaXR5
IG9mIGEgdHJ1c3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQfLbmMn1qugQdl
EBgoy62tBOANhsI0mh9HPXnrUvZC7defSSDwDLsh8qHIqrLKh8TXPx36xrijEyZW
l80yNvtMo2MwYTAdBgNVHQ4EFgQU8OMDi4OquXEX/0s/NpY6SLe7DdAwHwYDVR0j
BBgwFoAU8OMDi4OquXEX/0s/NpY6SLe7DdAwDwYDVR0TAQH/BAUwAwEB/zAOBgNV
HQ8BAf8EBAMCAQYwCgYIKoZIzj0EAwIDSAAwRQIgB2227OHRmPm1viderPrUGs5h
ks/EcIor9kUb3L1oRUACIQDpkB2xgpOnm0mY14p/xENaASmAYA422QLa2l0rDsZV
SA==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgS/pUuUvAfjSowcdA
B7lKhakR+TV58SuZr2RDrYoEFaehRANCAASmowb7fo26uEy6t8Mczerw1thFTkeu
6dpkEHF3enncY2rv6cS1iQhWahgZjmcXTO3vzXphPMQzvY/aOSX7LWI1
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmTCCAUCgAwIBAgIUX/gq0ZiMA2uF8vZE0samBab70h8wCgYIKoZIzj0EAwIw
IzEhMB8GA1UEAwwYVGhlIGF1dGhvcml0eSBvZiBhIHRydXN0MCAXDTI2MTExNzIz
NTIxNloYDzIxMjYxMDI0MjM1MjE2WjAQMQ4wDAYDVQQDDAUxMjcuMTBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABKajBvt+jbq4TLq3wxzN6vDW2EVOR67p2mQQcXd6
edxjau/pxLWJCFZqGBmOZxdM7e/NemE8xDO9j9o5JfstYjWjYzBhMBQGA1UdEQQN
MAuCCTEyNy4wLjAuMTAJBgNVHRMEAjAAMB0GA1UdDgQWBBTsmnJbUWXLIfzn5Nzs
mURe58XdnTAfBgNVHSMEGDAWgBTw4wOLg6q5cRf/Sz82ljpIt7sN0DAKBggqhkjO
PQQDAgNHADBEAiA7SSsPuo45Dge5Gj2SjVitdhNag78FwGInYR1oa5uDJwIgP3uJ
l3GoCwgXI2eiflMnTD9LAyEZh0/y0VnWwsN0Aio=
-----END CERTIFICATE-----
`,
};
