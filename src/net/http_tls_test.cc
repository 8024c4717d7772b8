#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include "net/http_client.h"
#include "net/http_server.h"

namespace seedance {
namespace {

// A key and a certificate for 127.0.0.1 that signs itself, valid for an hour.
class TlsFiles {
 public:
  TlsFiles() {
    folder_ = std::filesystem::temp_directory_path() / ("seedance_tls_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> made(X509_new(), &X509_free);
    X509_set_version(made.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -60);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), 3600);
    X509_set_pubkey(made.get(), key.get());
    X509_NAME* name = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("seedance test"), -1, -1, 0);
    X509_set_issuer_name(made.get(), name);
    X509_EXTENSION* address = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
    X509_add_ext(made.get(), address, -1);
    X509_EXTENSION_free(address);
    X509_sign(made.get(), key.get(), EVP_sha256());
    write(certificate(), [&](std::FILE* out) { PEM_write_X509(out, made.get()); });
    write(this->key(), [&](std::FILE* out) { PEM_write_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
  }
  TlsFiles(const TlsFiles&) = delete;
  TlsFiles& operator=(const TlsFiles&) = delete;
  ~TlsFiles() { std::filesystem::remove_all(folder_); }

  std::string certificate() const { return folder_ / "certificate.pem"; }
  std::string key() const { return folder_ / "key.pem"; }
  HttpServerOptions options() const { return {.tls_certificate_file = certificate(), .tls_key_file = key()}; }

 private:
  template <typename Write>
  static void write(const std::string& path, Write&& content) {
    std::FILE* out = std::fopen(path.c_str(), "wb");
    content(out);
    std::fclose(out);
  }
  std::filesystem::path folder_;
};

HttpResponse tls_hello(const HttpRequest&) { return {.body = "hello"}; }

TEST(HttpTlsTest, VerifiedClientIsServed) {
  const TlsFiles files;
  const auto server = HttpServer::start(files.options(), tls_hello);
  ASSERT_TRUE(server) << server.error().message;
  HttpClient client({.base_url = "https://127.0.0.1:" + std::to_string((*server)->port()), .ca_file = files.certificate()});
  const auto response = client.request("GET", "/");
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "hello");
}

TEST(HttpTlsTest, UnknownCertificateIsNotTrusted) {
  const TlsFiles files;
  const auto server = HttpServer::start(files.options(), tls_hello);
  ASSERT_TRUE(server);
  HttpClient client({.base_url = "https://127.0.0.1:" + std::to_string((*server)->port())});
  const auto response = client.request("GET", "/");
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, Code::kUnavailable);
  EXPECT_NE(response.error().message.find("not trusted"), std::string::npos) << response.error().message;
}

TEST(HttpTlsTest, PlainRequestIsNotAnswered) {
  const TlsFiles files;
  const auto server = HttpServer::start(files.options(), tls_hello);
  ASSERT_TRUE(server);
  HttpClient client({.base_url = "http://127.0.0.1:" + std::to_string((*server)->port())});
  EXPECT_FALSE(client.request("GET", "/"));
}

TEST(HttpTlsTest, MissingOrBrokenFilesStopTheStart) {
  const TlsFiles files;
  EXPECT_FALSE(HttpServer::start({.tls_certificate_file = files.certificate()}, tls_hello));
  EXPECT_FALSE(HttpServer::start({.tls_certificate_file = files.certificate(), .tls_key_file = "/nowhere/key.pem"}, tls_hello));
  EXPECT_FALSE(HttpServer::start({.tls_certificate_file = files.key(), .tls_key_file = files.certificate()}, tls_hello));
}

}  // namespace
}  // namespace seedance
